import * as z from 'zod';
import { idText } from '../../../shared/db/ids.ts';
import { examplePage, Paginated, paginated } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { emptyAsUndefined, isTrue } from '../../../shared/lists/filters.ts';
import { pageQuery, skipsNothing } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { timeBounds } from '../../../shared/lists/time-bounds.ts';
import { type AuditFilter, find, load, type NamedEntry } from './audit.ts';

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

const Entry = z
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

const EntryPage = Paginated(Entry).meta({
  id: 'AuditPage',
  examples: [examplePage(exampleEntry)],
});

const AuditQuery = z.object({
  ...pageQuery,
  ...sortBy(['at']),
  actor: z.preprocess(
    emptyAsUndefined,
    idText('a user').optional().meta({ description: 'The id of the user who made the changes.' }),
  ),
  subject: z.preprocess(
    emptyAsUndefined,
    z
      .string()
      .trim()
      .regex(/^[a-z]+:[\w-]{1,64}$/, 'must be a subject, for example user:123')
      .optional()
      .meta({
        description:
          'What was changed, such as `user:123`. Entries about sessions and passwords have their user; sign-ins with an unknown address have `user:unknown`.',
      }),
  ),
  action: z.preprocess(
    emptyAsUndefined,
    z
      .string()
      .trim()
      .regex(/^[a-z]+\.[a-z-]{1,40}$/, 'must be an action, for example user.update')
      .optional()
      .meta({
        description:
          'What was done, such as `user.update`. A page by action may have fewer entries than `pageSize`, or none, and still a `nextCursor`.',
      }),
  ),
  ...timeBounds('Done'),
  count: isTrue.meta({
    description:
      'Counts the entries, up to 1,000. Without it, `total` is the least number that the page shows.',
  }),
});

const toFilter = ({
  actor,
  subject,
  action,
  from,
  to,
}: z.output<typeof AuditQuery>): AuditFilter => ({ actor, subject, action, from, to });

const toResponse = ({ actorId, actorName, token, via, before, after, ...entry }: NamedEntry) => ({
  ...entry,
  actor: actorId === undefined ? null : { id: actorId, name: actorName },
  token: token ?? null,
  via: via ?? null,
  before: before ?? null,
  after: after ?? null,
});

export const routes = [
  route({
    endpoint: 'GET /api/audit',
    access: 'audit:view',
    summary: 'List audit entries',
    description:
      'Returns changes, newest first. Filter by actor or subject, by action and by time.',
    query: AuditQuery,
    output: EntryPage,
    readAhead: (userId, query) =>
      query.action === undefined && skipsNothing(query)
        ? find(userId, toFilter(query), query)
        : undefined,
    handle: async ({ actor, query, ahead }) => {
      const found = await (ahead ?? find(actor.user.id, toFilter(query), query));
      return paginated(await load(found, { isCounted: query.count }), toResponse);
    },
  }),
];
