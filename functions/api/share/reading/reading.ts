import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import { queryItems } from '../../../../shared/db/query.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import {
  type PackedTexts,
  readPackedTexts,
  unpackTexts,
} from '../../../../shared/storage/stored-text.ts';
import { purgeShareJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import { type ExpectedOwner, expectOwner, readAuthor } from '../record/owner.ts';
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
import { forgetTexts, keepTexts, recallTexts } from './text-memory.ts';

const toFoundShare = (share: Item | undefined, access: Item | undefined): FoundShare => {
  if (!share || !access) throw notFound();
  return { share: parseShare(share), access: parseAccess(access) };
};

/** Reads the share and access items, and the content item if `last` is it: their sort keys follow each other. */
const readItems = async (id: string, last: 'access' | 'content'): Promise<(Item | undefined)[]> => {
  const keys = [
    shareKeys.record.at({ id }),
    shareKeys.access.at({ id }),
    shareKeys.content.at({ id }),
  ] as const;
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': keys[0].pk,
      ':first': keys[0].sk,
      ':last': shareKeys[last].at({ id }).sk,
    },
    ConsistentRead: true,
  };
  const items = await queryItems(query, keys.length, undefined);
  return keys.map(({ sk }) => items.find((item) => item['sk'] === sk));
};

/**
 * Finds a share and its access item, whatever its status. One strongly consistent round trip; the query is billed by total
 * size, a batch of keys at least a read unit for each.
 * @throws AppError NOT_FOUND
 */
export const find = async (id: string): Promise<FoundShare> => {
  const [share, access] = await readItems(id, 'access');
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

/** A share with its compressed texts; absent if they are deleted, or in S3 and not read by this process before. */
export interface ReadShare extends FoundShare {
  readonly known: PackedTexts | undefined;
}

/**
 * Reads a share with its texts, without consuming a view. Texts that this process has read before are not read again,
 * unless they were replaced (decisions.md#views).
 * @throws AppError NOT_FOUND
 */
export const read = async (id: string): Promise<ReadShare> => {
  const kept = recallTexts(id);
  const [share, access, content] = await readItems(id, kept ? 'access' : 'content');
  const found = toFoundShare(share, access);
  if (kept?.id === found.share.texts?.id) return { ...found, known: kept };
  if (kept) forgetTexts(id);
  const known = content as object | undefined as PackedTexts | undefined;
  if (known) keepTexts(id, known);
  return { ...found, known };
};

/** Calls `read` while the owner is read that the share is expected to have. */
const withOwner = async <Found>(
  id: string,
  read: (id: string) => Promise<Found>,
): Promise<Found & { readonly owner: ExpectedOwner | undefined }> => {
  const owner = expectOwner(id);
  return { ...(await read(id)), owner };
};

/**
 * Finds a share as `find` does, for `readAuthor`.
 * @throws AppError NOT_FOUND
 */
export const findWithOwner = (id: string) => withOwner(id, find);

/**
 * Reads a share as `read` does, for `readAuthor`.
 * @throws AppError NOT_FOUND
 */
export const readWithOwner = (id: string) => withOwner(id, read);

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
  let { share, known } = found;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { id, texts: ref } = share;
    const packed = ref && (await readPackedTexts(shareKeys.content.at({ id }), ref, known));
    if (packed) {
      if (packed !== known && ref.place !== 'record') keepTexts(id, packed);
      return { share, texts: await unpackTexts(ref, packed, names) };
    }
    const latest = await read(id);
    if (latest.share.texts?.id === ref?.id) throw endedError();
    if (requiresNewAccess(share, latest.share)) break;
    ({ share, known } = latest);
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
const assertViewable = async (
  found: Awaited<ReturnType<typeof readWithOwner>>,
  given: GivenByReader,
): Promise<Viewer> => {
  assertOpen(found);
  const [viewer] = await Promise.all([identifyViewer(found.share, given), readAuthor(found)]);
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
  const found = await readWithOwner(id);
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
  const found = await readWithOwner(id);
  await assertViewable(found, given);
  const opened = await readContent(found);
  return { ...opened, access: { ...opened.access, views: opened.access.views + 1 } };
};

/** Asserts that the displayed text can be read from S3. The table is available if the access item is. */
const assertReadable = async ({ share, access }: FoundShare): Promise<void> => {
  if (share.texts?.place !== 'bucket') return;
  const displayed = share.language === 'markdown' ? 'page' : 'source';
  await readMatchingTexts({ share, access, known: undefined }, [displayed]);
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
