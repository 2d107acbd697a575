import { createChallenge } from '../door/challenge.ts';
import { type Fields, isObject } from '../protocol/message.ts';
import { invalidParams, ProtocolError } from '../protocol/protocol-error.ts';
import type { ToolResult } from '../tools/tool-result.ts';
import { callTool, listTools } from '../tools/tools.ts';
import { assertFirstPage, bothEras, type Caller, type Method, readText } from './method.ts';

/** Five minutes: a person who widens a token soon sees what it adds. */
const ttlMs = 300_000;

/**
 * Calls a tool. A connected app that lacks a scope is told by status 403, upon which it can ask its user; others by the result.
 * @throws ProtocolError
 */
export const callAs = async (
  { actor, client, invocation }: Caller,
  name: string,
  input: Fields,
): Promise<Omit<ToolResult, 'insufficientScope'>> => {
  const result = await callTool(actor, name, input, { client, ...invocation });
  if (!result) throw invalidParams('name is not that of a tool');
  const { insufficientScope: scope, ...shown } = result;
  if (scope === undefined || !actor.token?.isApp) return shown;
  const description = `This needs ${scope}.`;
  throw new ProtocolError('invalidRequest', description, {
    status: 403,
    data: { scope },
    headers: createChallenge({ error: 'insufficient_scope', scope, description }),
  });
};

/** The field of `_meta` with the name of the user, which a token that only publishes can’t read elsewhere. */
const userKey = 'handbill/user';

export const toolsList: Method = {
  eras: bothEras,
  cache: { ttlMs, cacheScope: 'private' },
  run: async (params, { actor }) => {
    assertFirstPage(params);
    return { tools: await listTools(actor), _meta: { [userKey]: actor.user.name } };
  },
};

export const toolsCall: Method = {
  eras: bothEras,
  run: async (params, caller) => {
    const name = readText(params, 'name');
    const { arguments: input = {} } = params;
    if (!isObject(input)) throw invalidParams('arguments must be an object');
    return { ...(await callAs(caller, name, input)) };
  },
};
