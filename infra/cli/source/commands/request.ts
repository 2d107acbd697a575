import type { Command } from 'commander';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data, Options } from '../../../../functions/web/browser/client/endpoints.ts';
import { connect } from '../connection.ts';
import { createWhole } from '../creation.ts';
import { parseCount, parseExpiry } from '../expiry.ts';
import { copy } from '../terminal/desktop.ts';
import { print, printJson } from '../terminal/output.ts';

type Input = Options<'POST /api/share/requests'>['body'];
type Created = Data<'POST /api/share/requests'>;

interface RequestOptions {
  readonly note?: string;
  readonly submissions?: number;
  readonly expires?: ReturnType<typeof parseExpiry>;
  readonly password?: string;
  readonly copy?: true;
  readonly json?: true;
}

const createRequest = (client: Client, body: Input): Promise<Created> =>
  createWhole(
    (sending) => client.call('POST /api/share/requests', { body, ...sending }),
    ({ id }) => client.call('DELETE /api/share/requests/{id}', { params: { id } }),
  );

/** Adds `request`. */
export const addRequestCommand = (program: Command): void => {
  program
    .command('request')
    .argument('<title>', 'what you ask for')
    .description('ask people without an account for content, and print the address for them')
    .option('--note <text>', 'what they should know, too')
    .option('-n, --submissions <n>', 'how many it takes; 1 by default', parseCount)
    .option('-e, --expires <when>', 'when it ends: 90m, 12h, 2d, 1w or a time', parseExpiry)
    .option('-p, --password <password>', 'password of 6 letters or digits')
    .option('--copy', 'copy its address')
    .option('--json', 'print JSON')
    .action(async (title: string, options: RequestOptions) => {
      const { note, submissions, password, expires } = options;
      const client = await connect();
      const created = await createRequest(client, {
        title,
        ...(note !== undefined && { note }),
        ...(submissions !== undefined && { submissions }),
        ...(password !== undefined && { password }),
        ...expires,
      });
      if (options.json) printJson(created);
      else print(created.url);
      if (options.copy) await copy(created.url);
    });
};
