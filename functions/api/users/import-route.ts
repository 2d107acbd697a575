import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { readUserFile } from './import/csv.ts';
import { maxLines } from './import/file.ts';
import { dryRun, ImportResult, ImportUsersInput } from './import/schemas.ts';

const minuteMs = 60_000;

export const importRoute = route({
  endpoint: 'POST /api/users/import',
  access: 'users:create',
  summary: 'Import users',
  description: `Creates up to ${maxLines} users, each by itself and with the rules of \`POST /api/users\`: without a password, so active ones are invited by email, or if email is disabled, each line of the response has the \`link\` to pass on. A user whose address exists is left alone, so a file can be sent again. With \`dryRun\`, nothing is created. CSV is taken, too, with the columns of an export; then \`dryRun\` is in the query.`,
  query: z.object({
    dryRun: z
      .enum(['true', 'false'], 'must be true or false')
      .optional()
      .meta({ description: `${dryRun} For a body without that field.` }),
  }),
  body: ImportUsersInput,
  otherBodies: {
    'text/csv': {
      schema: z.string().min(1).meta({
        description:
          'CSV with commas, semicolons or tabs. The first line names the columns: `email` and `name`, and as needed the other fields of a user.',
      }),
      read: (content, { charset }) => ({
        fields: { users: readUserFile(content as Buffer, charset) },
      }),
    },
  },
  completeBody: (fields, { query }) => ({
    ...(query.dryRun !== undefined && { dryRun: query.dryRun === 'true' }),
    ...fields,
  }),
  output: ImportResult,
  limits: [
    {
      name: 'user-import',
      tokens: 60,
      perMs: 10 * minuteMs,
      key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
    },
  ],
  auditAction: 'user.create',
  handle: async ({ actor, body, recorder }) => {
    const { importUsers } = await import('./import-users.ts');
    const isDryRun = body.dryRun ?? false;
    const lines = await importUsers(actor, body.users, isDryRun, recorder);
    const counts = { new: 0, created: 0, exists: 0, invalid: 0, left: 0 };
    for (const { result } of lines) counts[result] += 1;
    return success({ dryRun: isDryRun, counts, lines });
  },
});
