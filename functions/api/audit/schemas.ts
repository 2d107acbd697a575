import * as z from 'zod';
import { examplePage, Paginated } from '../../../shared/http/envelope.ts';
import type { NamedEntry } from './audit.ts';

const exampleEntry = {
  id: 'q2V5c3Rp',
  at: '2026-11-21T12:00:00.000Z',
  action: 'user.update',
  actor: { id: 244_212_480_000_000, name: 'Ann Example' },
  token: { id: 244_212_480_008_192, name: 'Nightly script' },
  via: null,
  subject: 'user:244212480004096',
  subjectName: 'Bob Example',
  address: '192.0.2.1',
  requestId: '6d2a6c1e-3f6b-4f0e-9a52-0a3c5e1d7b94',
  before: { role: 'user' },
  after: { role: 'admin' },
  users: [],
};

const fields = z.record(z.string(), z.unknown()).nullable();

/** An entry of the audit log. */
export const Entry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.string().meta({
      description:
        'What was done: the `x-audit` of the operation, or `session.fail` for a failed sign-in.',
    }),
    actor: z
      .object({
        id: z.int().positive(),
        name: z.string().nullable().meta({
          description:
            'The current name of the user; of a deleted one, the name as it was. `null`: it was not known.',
        }),
      })
      .nullable()
      .meta({ description: 'The user who did it. `null`: no one was signed in.' }),
    token: z.object({ id: z.int().positive(), name: z.string() }).nullable().meta({
      description: 'The API token or connected app that the user did it with. `null`: none.',
    }),
    via: z
      .object({
        client: z.string().meta({ description: 'What the client of the assistant calls itself.' }),
        tool: z.string().meta({ description: 'The tool that it called.' }),
      })
      .nullable()
      .meta({ description: 'The assistant that did it in the user’s name. `null`: none.' }),
    subject: z.string(),
    subjectName: z.string().nullable().meta({
      description:
        'What the subject was called then; of a user who still exists, the current name. `null`: it has none.',
    }),
    address: z.string(),
    requestId: z.string(),
    before: fields.meta({ description: 'The changed fields before the change.' }),
    after: fields.meta({ description: 'The changed fields after the change.' }),
    users: z.array(z.object({ id: z.int().positive(), name: z.string() })).meta({
      description:
        'The names of the users whose ids are in the changed fields, if they still exist.',
    }),
  })
  .meta({ id: 'AuditEntry', examples: [exampleEntry] });

export const EntryPage = Paginated(Entry).meta({
  id: 'AuditPage',
  examples: [examplePage(exampleEntry)],
});

/** Converts an entry to the API's response. */
export const toResponse = ({
  actorId,
  actorName,
  token,
  via,
  before,
  after,
  ...entry
}: NamedEntry) => ({
  ...entry,
  actor: actorId === undefined ? null : { id: actorId, name: actorName },
  token: token ?? null,
  via: via ?? null,
  before: before ?? null,
  after: after ?? null,
});
