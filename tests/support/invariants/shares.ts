import { expiryIndex } from '../../../functions/api/share/record/expiry-schedule.ts';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { addToListsWrite } from '../../../functions/api/share/record/list-entry.ts';
import type { StoredRevision } from '../../../functions/api/share/record/revisions.ts';
import type { ShareAccess, StoredShare } from '../../../functions/api/share/record/share.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { compare, differs, type Stored } from './stored.ts';

const sharesIn = (stored: Stored): StoredShare[] => stored.records(/^SHARE#/, /^SHARE$/);

/** Checks that the access state of a share matches its record. */
const ofGate = (share: StoredShare, access: ShareAccess | undefined): string[] => {
  const { id, viewLimit, expiresAt, password, endedAt, takenDownAt } = share;
  if (!access) return [`shares: ${id} has no gate`];
  if (endedAt !== undefined) return [];
  const rules = [
    access.viewsBeforeLast,
    access.expiresAt,
    access.passwordId,
    access.takenDown ?? false,
  ];
  const wanted = [
    viewLimit === undefined ? undefined : viewLimit - 1,
    expiresAt,
    password?.id,
    takenDownAt !== undefined,
  ];
  const isExpired = viewLimit !== undefined && access.views > viewLimit;
  return [
    ...(JSON.stringify(rules) === JSON.stringify(wanted)
      ? []
      : [`shares: the gate of ${id} has ${rules}, not ${wanted}`]),
    ...(isExpired ? [`shares: ${id} was viewed ${access.views} of ${viewLimit} times`] : []),
  ];
};

/** Checks that content in the table exists and has the version of its record. */
const ofTexts = (stored: Stored, { id, texts }: StoredShare): string[] => {
  const item = stored.get(shareKeys.content.at({ id }));
  const wanted = texts?.place === 'table' ? texts.id : undefined;
  return item?.['id'] === wanted
    ? []
    : [`shares: ${id} has the texts ${item?.['id']}, not ${wanted}`];
};

/** Checks that each revision has its text, and each text its revision. */
const ofRevisions = (stored: Stored): string[] => {
  const texts = stored
    .records<StoredRevision & { readonly pk: string }>(/^SHARE#/, /^REVISION#/)
    .filter((revision) => revision.texts.place === 'table')
    .map(({ pk, version }) =>
      shareKeys.revisionText.at({ id: pk.slice('SHARE#'.length), version }),
    );
  const given = stored.of(/^SHARE#/, /^REVISED#/).map(({ pk, sk }) => ({ pk, sk }));
  return compare('revisions', texts, given);
};

const ofOwners = (stored: Stored): string[] =>
  sharesIn(stored).flatMap(({ id, ownerId }) => {
    if (stored.unsettled.has(ownerId)) return [];
    const owner = stored.get(userKeys.record.at({ id: ownerId }));
    if (!owner) return [`shares: ${id} is of nobody`];
    const isShut = stored.get(shareKeys.access.at({ id }))?.['ownerSuspended'] === true;
    const isMarked = stored.get(shareKeys.ownCount.at({ ownerId }))?.['suspended'] === true;
    const isSuspended = owner['status'] === 'suspended' || owner['deletesAt'] !== undefined;
    return isShut === isSuspended && isMarked === isSuspended
      ? []
      : [`shares: ${id} is ${isShut ? 'shut' : 'open'}, its owner ${owner['status']}, ${isMarked}`];
  });

/** Checks that each slug is of the share that has it, and that no other is taken. */
const ofSlugs = (stored: Stored, shares: readonly StoredShare[]): string[] => {
  const places = shares.flatMap(({ slug, id }) =>
    slug === undefined ? [] : [{ slug, shareId: id, ...shareKeys.slug.at({ slug }) }],
  );
  const taken = stored.of(/^SLUG#/, /^SLUG$/).filter((item) => item['shareId'] !== undefined);
  return compare('slugs', places, taken);
};

/** Checks that each share exists with its access state, content and list entry, and that counts match. */
export const ofShares = (stored: Stored): string[] => {
  const shares = sharesIn(stored);
  const places = shares.map((share) => addToListsWrite(share).Put?.Item ?? {});
  const planned = shares
    .filter(({ expiresAt, endedAt }) => expiresAt !== undefined && endedAt === undefined)
    .map(({ id, expiresAt = '' }) => ({
      ...shareKeys.end.at({ id }),
      ...expiryIndex.end(expiresAt, id),
    }));
  const alone = stored
    .of(/^SHARE#/, /^(STATE|TEXTS)$/)
    .filter(({ pk }) => !stored.get({ pk, sk: 'SHARE' }));
  const counts = new Map(shares.map(({ ownerId }) => [ownerId, 0]));
  for (const { ownerId } of shares) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  for (const { pk } of stored.of(/^USER#/, /^SHARES$/)) {
    const owner = Number(pk.split('#')[1]);
    if (!counts.has(owner)) counts.set(owner, 0);
  }
  return [
    ...shares.flatMap((share) => [
      ...ofGate(
        share,
        stored.get(shareKeys.access.at({ id: share.id })) as unknown as ShareAccess | undefined,
      ),
      ...ofTexts(stored, share),
    ]),
    ...alone.map(({ pk, sk }) => `shares: ${pk} ${sk} is of nothing`),
    ...compare('shares', places, stored.of(/^USER#/, /^SHARE#/)),
    ...compare('shares', planned, stored.of(/^SHARE#/, /^END$/)),
    ...differs('shares', stored.total('shares'), shares.length),
    ...[...counts]
      .filter(([owner]) => !stored.unsettled.has(owner))
      .flatMap(([owner, count]) =>
        differs(
          `shares of ${owner}`,
          Number(stored.get(shareKeys.ownCount.at({ ownerId: owner }))?.['shares'] ?? 0),
          count,
        ),
      ),
    ...ofSlugs(stored, shares),
    ...ofRevisions(stored),
    ...ofOwners(stored),
  ];
};
