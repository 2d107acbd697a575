import { ApiError } from '../../../../functions/web/browser/client/api-error.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { connectWith } from '../connection.ts';
import { CliError } from '../error-mapping.ts';
import { interruption as signal } from '../interruption.ts';
import { createDoor, requireToken } from './door.ts';
import { createMeta, type Request, toObject } from './message.ts';

/** The version of the protocol that a check speaks. */
const version = '2026-07-28';

/** The most pages of tools that are read. */
const maxPages = 20;

interface Listed {
  readonly count: number;
  /** The name of the token's user, which any token may know; a service of another version may not say it. */
  readonly userName?: string;
}

/** Counts the tools that the token may use. @throws CliError if the service refuses to list them */
const countTools = async (url: string): Promise<Listed> => {
  const door = createDoor(url);
  let count = 0;
  let cursor: unknown;
  let userName: unknown;
  for (let page = 0; page < maxPages; page++) {
    const request: Request = {
      jsonrpc: '2.0',
      id: page,
      method: 'tools/list',
      params: {
        _meta: createMeta(version, packageFile.version),
        ...(cursor !== undefined && { cursor }),
      },
    };
    const response = await door.send(request, { signal, isRepeatable: true });
    const tools = response?.result?.['tools'];
    if (!Array.isArray(tools)) throw new CliError(response?.error?.message ?? 'No tools came.');
    count += tools.length;
    userName ??= toObject(response?.result?.['_meta'])?.['handbill/user'];
    cursor = response?.result?.['nextCursor'];
    if (cursor === undefined) break;
  }
  return { count, ...(typeof userName === 'string' && { userName }) };
};

/** Says who an assistant is connected as, and how many tools it has. @throws CliError; ApiError */
export const checkConnection = async (url: string): Promise<string> => {
  const client = connectWith(url, { accessToken: await requireToken(url) });
  // A token that only publishes may not read the profile.
  const user = await client.call('GET /api/auth/me', { signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  });
  const { count, userName } = await countTools(url);
  const name = user?.name ?? userName;
  const who = name === undefined ? `Connected to ${url}.` : `Connected as ${name}.`;
  return `${who} ${count === 1 ? '1 tool' : `${count} tools`}.`;
};
