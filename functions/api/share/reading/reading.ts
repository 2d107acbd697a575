import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { queryItems } from '../../../../shared/lists/pagination.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { readTexts } from '../../../../shared/storage/stored-text.ts';
import { purgeShareJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import { readAuthor } from '../record/owner.ts';
import {
  assertOpen,
  contentRetentionMs,
  endedError,
  type FoundShare,
  modifiedMessage,
  notFound,
  type OpenedShare,
  parseAccess,
  parseShare,
  type ShareAccess,
  type StoredShare,
} from '../record/share.ts';
import { isPassword } from '../record/share-password.ts';
import { findViewId, type ViewIds } from '../record/view-ids.ts';
import { announceFirstView, assertCanView, consumeView, type Viewer } from '../record/views.ts';

const toFoundShare = (share: Item | undefined, access: Item | undefined): FoundShare => {
  if (!share || !access) throw notFound();
  return { share: parseShare(share), access: parseAccess(access) };
};

/**
 * Finds a share and its access item, whatever its status. One strongly consistent round trip.
 * @throws AppError NOT_FOUND
 */
export const find = async (id: string): Promise<FoundShare> => {
  const [share, access] = await batchGet([
    shareKeys.record.at({ id }),
    shareKeys.access.at({ id }),
  ]);
  return toFoundShare(share, access);
};

/** Finds the shares that exist, with their access items. Strongly consistent, in one round trip for 50. */
export const findAll = async (ids: readonly string[]): Promise<FoundShare[]> => {
  const items = await batchGet(
    ids.flatMap((id) => [shareKeys.record.at({ id }), shareKeys.access.at({ id })]),
  );
  return ids.flatMap((_, at) => {
    const [share, access] = items.slice(2 * at, 2 * at + 2);
    return share && access ? [toFoundShare(share, access)] : [];
  });
};

/** A share with its content item, which is absent if the content is in S3 or deleted. */
export interface ReadShare extends FoundShare {
  readonly contentItem: Item | undefined;
}

/** Selects the share, content and access items. Their sort keys must be in this order, with none in between. */
const shareItemsQuery = (id: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :share AND :access',
  ExpressionAttributeValues: {
    ':pk': shareKeys.record.partition({ id }).pk,
    ':share': shareKeys.record.at({ id }).sk,
    ':access': shareKeys.access.at({ id }).sk,
  },
  ConsistentRead: true,
});

/**
 * Reads a share with its content item, without consuming a view. The query is billed by total size; a batch of keys
 * costs at least one read unit per item.
 * @throws AppError NOT_FOUND
 */
export const read = async (id: string): Promise<ReadShare> => {
  const items = await queryItems(shareItemsQuery(id), 3, undefined);
  const [share, contentItem, access] = [
    shareKeys.record.at({ id }),
    shareKeys.content.at({ id }),
    shareKeys.access.at({ id }),
  ].map(({ sk }) => items.find((item) => item['sk'] === sk));
  return { ...toFoundShare(share, access), contentItem };
};

/** The source; of Markdown also its HTML, as the API returns it and with the extras of the page. */
type TextName = 'source' | 'html' | 'page';

const maxAttempts = 3;

/** Whether viewing `after` requires a password or a counted view that viewing `before` did not. */
const requiresNewAccess = (before: StoredShare, after: StoredShare): boolean =>
  after.password?.id !== before.password?.id ||
  (after.viewLimit !== undefined && before.viewLimit === undefined);

/**
 * Reads texts with the version of the share they belong to. The two reads are not atomic; after a concurrent update
 * both are repeated.
 * @throws AppError GONE if the content is deleted; SERVICE_UNAVAILABLE if the share requires other access by now
 */
const readMatchingTexts = async <Name extends TextName>(
  found: ReadShare,
  names: readonly Name[],
): Promise<{ readonly share: StoredShare; readonly texts: Partial<Record<Name, string>> }> => {
  let { share, contentItem } = found;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const texts =
      share.texts &&
      (await readTexts(shareKeys.content.at({ id: share.id }), share.texts, names, contentItem));
    if (texts) return { share, texts };
    const latest = await read(share.id);
    if (latest.share.texts?.id === share.texts?.id) throw endedError();
    if (requiresNewAccess(share, latest.share)) break;
    ({ share, contentItem } = latest);
  }
  throw new AppError('SERVICE_UNAVAILABLE', modifiedMessage);
};

/** @throws AppError as `readMatchingTexts` */
const readContent = async (found: ReadShare): Promise<OpenedShare> => {
  const { share, texts } = await readMatchingTexts(found, ['source', 'html']);
  if (texts.source === undefined) throw endedError();
  return { share, access: found.access, source: texts.source, html: texts.html };
};

/** What a reader gives to open a share: its password, and the id of a recipient link. */
export interface GivenByReader {
  readonly password?: string | undefined;
  readonly link?: string | undefined;
}

/** Verifies the given password, if any, and describes the viewer accordingly. */
const identifyViewer = async (
  { password: stored }: StoredShare,
  { password, link }: GivenByReader,
): Promise<Viewer> => {
  if (!stored || password === undefined) return { link };
  return (await isPassword(password, stored))
    ? { passwordId: stored.id, link }
    : { hasGivenPassword: true, link };
};

/**
 * Asserts that the reader could view a share of an active owner now, and identifies the viewer.
 * @throws AppError as `assertCanView` and `readAuthor`
 */
const assertViewable = async (found: FoundShare, given: GivenByReader): Promise<Viewer> => {
  assertOpen(found);
  const { share } = found;
  const [viewer] = await Promise.all([identifyViewer(share, given), readAuthor(share)]);
  assertCanView(found, viewer);
  return viewer;
};

/** Schedules what follows a view: the purge after the last, and the notification of the first. */
const followUp = async (id: string, access: ShareAccess): Promise<void> => {
  await Promise.all([schedulePurge(id, access), announceFirstView(id, access, 1)]);
};

/** Schedules the purge of an ended share after its view tokens expire. The scheduled run covers a lost job. */
const schedulePurge = async (id: string, access: ShareAccess): Promise<void> => {
  if (access.endedAt === undefined) return;
  await enqueue(purgeShareJob, { id }, { delaySeconds: contentRetentionMs / 1_000 });
};

/**
 * Opens a share with its content and consumes one view. The content is read first, because a throttled partition may
 * reject a refund. `onConsumed` runs and is awaited once the view is consumed.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED for a missing or incorrect password; none consumes a view
 */
export const open = async (
  id: string,
  given: GivenByReader,
  onConsumed?: () => Promise<void>,
): Promise<OpenedShare> => {
  const found = await read(id);
  const viewer = await assertViewable(found, given);
  const opened = await readContent(found);
  const { access } = await consumeView(id, viewer, found.access);
  await Promise.all([onConsumed?.(), followUp(id, access)]);
  return { ...opened, access };
};

/**
 * Returns what `open` would, without consuming a view: for HEAD requests.
 * @throws AppError as `open`
 */
export const peek = async (id: string, given: GivenByReader): Promise<OpenedShare> => {
  const found = await read(id);
  await assertViewable(found, given);
  const opened = await readContent(found);
  return { ...opened, access: { ...opened.access, views: opened.access.views + 1 } };
};

/** Asserts that the displayed text can be read from S3. The table is available if the access item is. */
const assertReadable = async ({ share, access }: FoundShare): Promise<void> => {
  if (share.texts?.place !== 'bucket') return;
  const displayed = share.language === 'markdown' ? 'page' : 'source';
  await readMatchingTexts({ share, access, contentItem: undefined }, [displayed]);
};

/**
 * Consumes a view without returning the content, which a view token gives access to. Requests with a view id in
 * common consume one view. Returns the stored view id and the `id` of the verified password. The caller has to check
 * the owner with `readAuthor`.
 * @throws AppError as `open`
 */
export const openWithoutContent = async (
  found: FoundShare,
  given: GivenByReader,
  viewIds?: ViewIds,
): Promise<{ readonly viewId: string; readonly passwordId: string | undefined }> => {
  const { share, access } = found;
  const viewer: Viewer = {
    ...(await identifyViewer(share, given)),
    ...(viewIds && { viewIds }),
  };
  if (!viewIds || !findViewId(access, viewIds)) {
    assertCanView(found, viewer);
    await assertReadable(found);
  }
  const consumed = await consumeView(share.id, viewer, access);
  await followUp(share.id, consumed.access);
  return { viewId: consumed.viewId, passwordId: viewer.passwordId };
};

/**
 * Reads a share for moderators, whatever its status, without consuming a view. Deleted content is omitted. The caller has
 * to check the owner.
 * @throws AppError NOT_FOUND
 */
export const inspect = async (id: string): Promise<FoundShare | OpenedShare> => {
  const found = await read(id);
  return found.share.texts ? readContent(found) : found;
};

/**
 * Reads a share for its owner, without consuming a view.
 * @throws AppError NOT_FOUND, also if it belongs to someone else; GONE if the content is deleted
 */
export const inspectOwn = async (ownerId: number, id: string): Promise<OpenedShare> => {
  const found = await read(id);
  if (found.share.ownerId !== ownerId) throw notFound();
  return readContent(found);
};

/** In UTF-16 code units. */
const maxInlineLength = 64 * 1_024;

/**
 * Returns the source if it is short and already read, so that the page can include it.
 * @throws AppError as `readText`
 */
export const inlineSource = async (found: ReadShare): Promise<string | undefined> => {
  const { texts } = found.share;
  if (!texts || texts.place === 'bucket') return undefined;
  const source = await readText(found, 'source');
  return source.length <= maxInlineLength ? source : undefined;
};

/**
 * Reads one text of a share; only Markdown shares have `html` and `page`.
 * @throws AppError GONE if the content is deleted
 */
export const readText = async (found: ReadShare, name: TextName): Promise<string> => {
  const text = (await readMatchingTexts(found, [name])).texts[name];
  if (text === undefined) throw endedError();
  return text;
};
