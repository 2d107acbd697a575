import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { queryItems } from '../../../../shared/lists/pagination.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { readTexts } from '../../../../shared/storage/stored-text.ts';
import { assertCanView, consumeView, type Viewer } from '../record/access-state.ts';
import { shareEnd } from '../record/jobs.ts';
import { assertHasOwner, toAuthor } from '../record/owner.ts';
import {
  endedError,
  type FoundShare,
  keptAfterEndMs,
  notFound,
  type OpenedShare,
  type ShareAccess,
  type StoredShare,
} from '../record/share.ts';
import { isPassword } from '../record/share-password.ts';
import { type Claims, findViewId } from '../record/view-ids.ts';

/**
 * A share and its gate, whatever its state. One strongly consistent round trip.
 * @throws AppError NOT_FOUND when there is none
 */
export const find = async (id: string): Promise<FoundShare> => {
  const [share, access] = await batchGet([keys.share(id), keys.shareAccess(id)]);
  if (!share || !access) throw notFound();
  return { share: share as unknown as StoredShare, gate: access as unknown as ShareAccess };
};

/** A share with the item of its texts, if there is one: as much as one round trip can tell. */
export interface ReadShare extends FoundShare {
  readonly item: Record<string, unknown> | undefined;
}

/** Record, texts and gate lie side by side in this order, with nothing between them. */
const queryShareItems = (id: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :record AND :gate',
  ExpressionAttributeValues: {
    ':pk': keys.share(id).pk,
    ':record': keys.share(id).sk,
    ':gate': keys.shareAccess(id).sk,
  },
  ConsistentRead: true,
});

/**
 * A share for those who may see it without a view, or look whether they may. One strongly consistent query, because that
 * costs what its items take together, where reading each by its key costs a unit at least for each.
 * @throws AppError NOT_FOUND when there is none
 */
export const read = async (id: string): Promise<ReadShare> => {
  const items = await queryItems(queryShareItems(id), 3, undefined);
  const [share, item, access] = [keys.share(id), keys.shareContent(id), keys.shareAccess(id)].map(
    ({ sk }) => items.find((one) => one['sk'] === sk),
  );
  if (!share || !access) throw notFound();
  return { share: share as unknown as StoredShare, gate: access as unknown as ShareAccess, item };
};

const maxTries = 3;

/** Has somebody who might see the former to give another password for the latter, or to take a view of it? */
const isGuardedOtherwise = (former: StoredShare, latter: StoredShare): boolean =>
  latter.password?.id !== former.password?.id ||
  (latter.viewLimit !== undefined && former.viewLimit === undefined);

/**
 * Texts of a share, and the share that they are of: record and texts are not read at one instant, so where a change came
 * between, both are read again.
 * @throws AppError GONE when the content is deleted; SERVICE_UNAVAILABLE when the share is guarded otherwise by now
 */
const readShareTexts = async <Name extends 'source' | 'html'>(
  found: ReadShare,
  names: readonly Name[],
): Promise<{ readonly share: StoredShare; readonly texts: Partial<Record<Name, string>> }> => {
  let { share, item } = found;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const texts =
      share.texts && (await readTexts(keys.shareContent(share.id), share.texts, names, item));
    if (texts) return { share, texts };
    const now = await read(share.id);
    if (now.share.texts?.id === share.texts?.id) throw endedError();
    if (isGuardedOtherwise(share, now.share)) break;
    ({ share, item } = now);
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The share keeps changing: try again');
};

/** @throws AppError as `readShareTexts` */
const withTexts = async (found: ReadShare): Promise<OpenedShare> => {
  const { share, texts } = await readShareTexts(found, ['source', 'html']);
  if (texts.source === undefined) throw endedError();
  return { share, gate: found.gate, source: texts.source, html: texts.html };
};

/** What the gate is to know of somebody who came with this password, or with none. */
const createViewer = async (
  { password: stored }: StoredShare,
  password: string | undefined,
): Promise<Viewer> => {
  if (!stored || password === undefined) return {};
  return (await isPassword(password, stored)) ? { passwordId: stored.id } : { gavePassword: true };
};

/** The same, of a share whose owner is there. @throws AppError as `toAuthor` */
const toViewer = async (share: StoredShare, password: string | undefined): Promise<Viewer> => {
  const [viewer] = await Promise.all([createViewer(share, password), toAuthor(share)]);
  return viewer;
};

/** Lets the content go as soon as no view token can be good any more; if this is lost the minute's sweep does it. */
const scheduleEnd = async (id: string, access: ShareAccess): Promise<void> => {
  if (access.endedAt === undefined) return;
  await enqueue(shareEnd, { id }, { delaySeconds: keptAfterEndMs / 1_000 });
};

/**
 * Opens a share with its content, as one view. The content is read before the view is taken: what could not be read uses
 * up nothing, also where a share is viewed so often that its partition has no units left to give a view back. `onTaken` is
 * done once the view is taken, and waited for.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED when the password is missing or wrong, which counts nothing
 */
export const open = async (
  id: string,
  password: string | undefined,
  onTaken?: () => Promise<void>,
): Promise<OpenedShare> => {
  const found = await read(id);
  const viewer = await toViewer(found.share, password);
  assertCanView(found, viewer);
  const opened = await withTexts(found);
  const { gate: access } = await consumeView(id, viewer, found.gate);
  await Promise.all([onTaken?.(), scheduleEnd(id, access)]);
  return { ...opened, gate: access };
};

/**
 * What `open` would answer, without a view of it: for HEAD.
 * @throws AppError as `open`
 */
export const peek = async (id: string, password: string | undefined): Promise<OpenedShare> => {
  const found = await read(id);
  assertCanView(found, await toViewer(found.share, password));
  const opened = await withTexts(found);
  return { ...opened, gate: { ...opened.gate, views: opened.gate.views + 1 } };
};

/** Sees that what a page shows can be read where it lies in the bucket; what is small is where the gate is. */
const assertReadable = async ({ share, gate: access }: FoundShare): Promise<void> => {
  if (share.texts?.place !== 'bucket') return;
  const shown = share.language === 'markdown' ? 'html' : 'source';
  await readShareTexts({ share, gate: access, item: undefined }, [shown]);
};

/**
 * Takes a view of a share that was found, whose content can be read: whoever gets a view token for it reads it then. Any of
 * the same `claims` is the same view. Answers the one by which it is known, and the `id` of the password that was right.
 * @throws AppError as `open`
 */
export const openWithoutContent = async (
  found: FoundShare,
  password: string | undefined,
  claims?: Claims,
): Promise<{ readonly claim: string; readonly passwordId: string | undefined }> => {
  const { share, gate: access } = found;
  const viewer: Viewer = {
    ...(await createViewer(share, password)),
    ...(claims && { claims }),
  };
  if (!claims || !findViewId(access, claims)) {
    assertCanView(found, viewer);
    await assertReadable(found);
  }
  const taken = await consumeView(share.id, viewer, access);
  await scheduleEnd(share.id, taken.gate);
  return { claim: taken.claim, passwordId: viewer.passwordId };
};

/**
 * A share with its content, whatever its state and without a view, for those who may always see it; without the content
 * once that is deleted.
 * @throws AppError NOT_FOUND
 */
export const inspect = async (id: string): Promise<FoundShare | OpenedShare> => {
  const found = await read(id);
  await assertHasOwner(found.share);
  return found.share.texts ? withTexts(found) : found;
};

/**
 * The owner's look at a share, which counts nothing.
 * @throws AppError NOT_FOUND also when it is somebody else's; GONE when the content is deleted
 */
export const inspectOwn = async (ownerId: number, id: string): Promise<OpenedShare> => {
  const found = await read(id);
  if (found.share.ownerId !== ownerId) throw notFound();
  return withTexts(found);
};

/** The most UTF-16 units of a text that goes along with its page. */
const longestAlong = 64 * 1_024;

/**
 * The source of a share, where it is short and came with its record, so that it can go along with the share's page.
 * @throws AppError as `textOf`
 */
export const inlineSource = async (found: ReadShare): Promise<string | undefined> => {
  if (found.share.texts?.place !== 'table') return undefined;
  const source = await readText(found, 'source');
  return source.length <= longestAlong ? source : undefined;
};

/**
 * One text of a share, `html` of Markdown.
 * @throws AppError GONE when the content is deleted
 */
export const readText = async (found: ReadShare, name: 'source' | 'html'): Promise<string> => {
  const text = (await readShareTexts(found, [name])).texts[name];
  if (text === undefined) throw endedError();
  return text;
};
