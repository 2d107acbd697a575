import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import type { OwnedCount, OwnedKind } from '../../../shared/users/owned-records.ts';
import { assertCanManage, readRolesFrom } from './grants.ts';
import * as users from './record/users.ts';

const one = { total: 3, totalIsExact: true };
const example = { shares: one, documents: one, files: one, events: one };

const Count = (what: string) =>
  z
    .object({
      total: z.int().nonnegative().meta({ description: 'The number, counted up to 1,000.' }),
      totalIsExact: z.boolean().meta({ description: 'Whether there are no more.' }),
    })
    .meta({ description: what });

const Belongings = Success(
  z.object({
    shares: Count('Shares, those that have ended included while they are stored.'),
    documents: Count('Documents, also those in the trash.'),
    files: Count('Files and folders.'),
    events: Count('Events of the user’s own; a series counts once.'),
  }),
).meta({ id: 'Belongings', examples: [success(example)] });

const none: OwnedCount = { total: 0, totalIsExact: true };

/** Counts what a user owns. */
const countOwned = async (id: number): Promise<Readonly<Record<OwnedKind, OwnedCount>>> => {
  // Loaded on first use, because it brings all groups along.
  const { ownedRecords } = await import('../owned-records.ts');
  const counts = await Promise.all(
    ownedRecords.map(async ({ counted }) =>
      counted ? { [counted.kind]: await counted.count(id) } : {},
    ),
  );
  return Object.assign({ shares: none, documents: none, files: none, events: none }, ...counts);
};

/**
 * Counts what a user owns, which is deleted with the user unless it is transferred.
 * @throws AppError NOT_FOUND; FORBIDDEN for a user of a higher rank
 */
const countBelongings = async (actor: Actor, id: number) => {
  const user = await users.get(id);
  assertCanManage(actor, user, await readRolesFrom(actor, user.role));
  return countOwned(id);
};

export const ownBelongingsRoute = route({
  endpoint: 'GET /api/users/me/belongings',
  access: 'session',
  summary: 'Count what you own',
  description:
    'Returns how many records would be deleted with your account: of each kind up to 1,000.',
  output: Belongings,
  handle: async ({ actor }) => success(await countOwned(actor.user.id)),
});

export const belongingsRoute = route({
  endpoint: 'GET /api/users/{id}/belongings',
  access: 'users:delete',
  summary: 'Count what a user owns',
  description:
    'Returns how many records would be deleted or transferred with the user: of each kind up to 1,000.',
  params: z.object({ id: RecordId }),
  output: Belongings,
  errors: { FORBIDDEN: 'The user has a higher rank.' },
  handle: async ({ actor, params: { id } }) => success(await countBelongings(actor, id)),
});
