import { randomBytes, randomInt } from 'node:crypto';
import { updateIf } from '../../shared/conditional-write.ts';
import { AppError } from '../../shared/errors.ts';
import { newSecretId } from '../../shared/ids.ts';
import { type Page, type PageRequest, readPage, startingWith } from '../../shared/page.ts';
import { setting } from '../../shared/settings.ts';
import { batchGet, keys, tableName } from '../../shared/table.ts';
import { putNew, transact, type Write } from '../../shared/transaction.ts';
import type { StoredUser } from '../../shared/user.ts';
import * as markdown from '../markdown/markdown.ts';
import * as content from './content.ts';
import { hashPassword, isPassword, randomPassword, type StoredPassword } from './share-password.ts';

export type Language = 'html' | 'markdown';

/** What a new share is made of. `expiresAt` is in ms since 1970. */
export interface NewShare {
  readonly content: string;
  readonly language: Language;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly viewLimit?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly password?: string | undefined;
  readonly useRandomPassword: boolean;
}

/** A share as the table keeps it, without its keys, its counter and its content. */
export interface StoredShare {
  readonly id: string;
  readonly ownerId: number;
  readonly language: Language;
  readonly title?: string;
  readonly description?: string;
  readonly viewLimit?: number;
  readonly password?: StoredPassword;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly parts: content.PartCounts;
}

/** The small item that every view writes. Each slot holds the id of the last claim that was made in it. */
interface StoredViews {
  readonly views: number;
  readonly viewLimit?: number;
  readonly [slot: `claim${number}`]: string;
}

/** A share with its counter, as it is now. */
export interface FoundShare {
  readonly share: StoredShare;
  readonly views: number;
}

/** A share that was opened: `views` counts this view too. */
export interface OpenedShare extends FoundShare {
  readonly source: string;
  readonly html: string | undefined;
}

const bytesLimit: Readonly<Record<Language, { bytes: number; text: string }>> = {
  html: { bytes: 2 * 1024 * 1024, text: '2 MB' },
  markdown: { bytes: 512 * 1024, text: '512 KB' },
};

/** Claims are spread over this many slots, so that a lost answer is still known after others came between. */
const claimSlots = 16;

const notFound = () => new AppError('NOT_FOUND', 'There is no such share');
const gone = () => new AppError('GONE', 'This share has ended');

const checkSize = ({ content: text, language }: NewShare): void => {
  const limit = bytesLimit[language];
  if (Buffer.byteLength(text) <= limit.bytes) return;
  throw new AppError('PAYLOAD_TOO_LARGE', `The content is larger than ${limit.text}`, {
    details: [{ field: 'content', message: `must have at most ${limit.text} of UTF-8` }],
  });
};

/**
 * Stores a share with its counter, its content and its place in the owner's list, in one transaction. Markdown is
 * rendered now, never when it is read. Answers a generated password, which is not kept.
 * @throws AppError PAYLOAD_TOO_LARGE, UNPROCESSABLE when the Markdown is too slow to convert
 */
export const create = async (
  ownerId: number,
  input: NewShare,
): Promise<{ readonly share: StoredShare; readonly generatedPassword: string | undefined }> => {
  checkSize(input);
  const { language, title, description, viewLimit, expiresAt } = input;
  const generatedPassword = input.useRandomPassword ? randomPassword() : undefined;
  const password = generatedPassword ?? input.password;
  const id = newSecretId();
  const html = language === 'markdown' ? await markdown.toHtml(input.content) : undefined;
  const { counts, writes } = await content.put(id, { source: input.content, html });
  const share: StoredShare = {
    id,
    ownerId,
    language,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(viewLimit !== undefined && { viewLimit }),
    ...(password !== undefined && { password: await hashPassword(password) }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    createdAt: new Date().toISOString(),
    parts: counts,
  };
  const failed = await transact({
    share: putNew(keys.share(id), share),
    views: putNew(keys.shareViews(id), {
      views: 0,
      ...(viewLimit !== undefined && { viewLimit }),
    }),
    own: putNew(keys.ownShare(ownerId, share.createdAt, id), { id }),
    count: moveOwnCount(ownerId, 1),
    ...writes,
  });
  if (failed) throw new AppError('CONFLICT', 'The share could not be stored: try again');
  return { share, generatedPassword };
};

/** The write that keeps count of a user's shares. */
export const moveOwnCount = (ownerId: number, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.ownShareCount(ownerId),
    UpdateExpression: 'ADD shares :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** The address of a share's page. */
export const urlOf = (id: string): string => `${setting('PUBLIC_URL')}/s/${id}`;

/** What is still open: a number, or null without a limit. */
export const viewsLeft = ({ share, views }: FoundShare): number | null =>
  share.viewLimit === undefined ? null : Math.max(0, share.viewLimit - views);

/**
 * A share and its counter, without a view of it. Strongly consistent, two round trips.
 * @throws AppError NOT_FOUND when there is none, GONE when its time is over, also while it is still stored, and while
 *   its owner is suspended
 */
export const find = async (id: string): Promise<FoundShare> => {
  const [share, counter] = (await batchGet([keys.share(id), keys.shareViews(id)])) as [
    StoredShare | undefined,
    StoredViews | undefined,
  ];
  if (!share || !counter) throw notFound();
  if (share.expiresAt !== undefined && Date.parse(share.expiresAt) <= Date.now()) throw gone();
  const [owner] = (await batchGet([keys.user(share.ownerId)])) as [StoredUser | undefined];
  // What a deleted user owned is as deleted, also before it has been removed.
  if (!owner) throw notFound();
  if (owner.status === 'suspended') throw gone();
  return { share, views: counter.views };
};

const checkPassword = async (share: StoredShare, password: string | undefined): Promise<void> => {
  if (!share.password) return;
  if (password === undefined) {
    throw new AppError('UNAUTHORIZED', 'This share asks for a password');
  }
  if (!(await isPassword(password, share.password))) {
    throw new AppError('UNAUTHORIZED', 'The password is wrong');
  }
};

let lastSlot: number | undefined;

/** Slots in turn from a random one on, so that one process uses a slot again only after all the others. */
const nextSlot = (): `claim${number}` => {
  lastSlot = ((lastSlot ?? randomInt(claimSlots)) + 1) % claimSlots;
  return `claim${lastSlot}`;
};

/** Counts one view in one conditional write of the small item; answers the count with it. */
const claim = async (id: string): Promise<number> => {
  const slot = nextSlot();
  const claimId = randomBytes(9).toString('base64url');
  const { written, item } = await updateIf({
    Key: keys.shareViews(id),
    UpdateExpression: 'SET #views = #views + :one, #slot = :claim',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(viewLimit) OR #views < viewLimit) AND (attribute_not_exists(#slot) OR #slot <> :claim)',
    ExpressionAttributeNames: { '#views': 'views', '#slot': slot },
    ExpressionAttributeValues: { ':one': 1, ':claim': claimId },
  });
  if (!item) throw notFound();
  const counter = item as unknown as StoredViews;
  // The SDK sends a write again when its answer was lost: this very claim is in the item then.
  if (written || counter[slot] === claimId) return counter.views;
  throw gone();
};

/** @throws AppError GONE when the content is no longer there */
const readTexts = async ({ id, language, parts }: StoredShare) => {
  const [source, html] = await Promise.all([
    content.read(id, 'source', parts),
    language === 'markdown' ? content.read(id, 'html', parts) : undefined,
  ]);
  if (source === undefined) throw gone();
  return { source, html };
};

/**
 * Counts a view: exactly as many succeed as the limit says, whatever comes at once.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED when the password is missing or wrong, which counts nothing
 */
export const countView = async (id: string, password: string | undefined): Promise<FoundShare> => {
  const { share } = await findOpenable(id, password);
  return { share, views: await claim(id) };
};

const findOpenable = async (id: string, password: string | undefined): Promise<FoundShare> => {
  const found = await find(id);
  if (viewsLeft(found) === 0) throw gone();
  await checkPassword(found.share, password);
  return found;
};

/**
 * Opens a share with its content, as one view.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED when the password is missing or wrong, which counts nothing
 */
export const open = async (id: string, password: string | undefined): Promise<OpenedShare> => {
  const { share } = await findOpenable(id, password);
  if (share.viewLimit === undefined) {
    const [views, texts] = await Promise.all([claim(id), readTexts(share)]);
    return { share, views, ...texts };
  }
  // Of a limited share the content is at hand first: a view that is counted is served.
  const texts = await readTexts(share);
  return { share, views: await claim(id), ...texts };
};

/**
 * What `open` would answer, without a view of it: for HEAD.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED when the password is missing or wrong
 */
export const peek = async (id: string, password: string | undefined): Promise<OpenedShare> => {
  const found = await findOpenable(id, password);
  return { ...found, ...(await readTexts(found.share)) };
};

/**
 * The owner's look at a share, which counts nothing.
 * @throws AppError NOT_FOUND also when it is somebody else's
 */
export const openOwn = async (ownerId: number, id: string): Promise<OpenedShare> => {
  const found = await find(id);
  if (found.share.ownerId !== ownerId) throw notFound();
  return { ...found, ...(await readTexts(found.share)) };
};

/**
 * One text of a share that was opened before.
 * @throws AppError GONE when it is no longer there
 */
export const readText = async (
  { id, parts }: StoredShare,
  kind: content.ContentKind,
): Promise<string> => {
  const text = await content.read(id, kind, parts);
  if (text === undefined) throw gone();
  return text;
};

/** A user's own shares, newest first, without content, and how many there are. */
export const listOwn = async (
  ownerId: number,
  request: PageRequest,
): Promise<Page<FoundShare> & { readonly total: number }> => {
  const [page, [count]] = await Promise.all([
    readPage(
      { ...startingWith(keys.ownShares(ownerId)), ScanIndexForward: false },
      request,
      `own-shares#${ownerId}`,
    ),
    batchGet([keys.ownShareCount(ownerId)]),
  ]);
  const ids = page.items.map(({ id }) => id as string);
  const records = await batchGet(ids.flatMap((id) => [keys.share(id), keys.shareViews(id)]));
  const items = ids.flatMap((_, at) => {
    const share = records[2 * at] as StoredShare | undefined;
    const counter = records[2 * at + 1] as StoredViews | undefined;
    return share && counter ? [{ share, views: counter.views }] : [];
  });
  return { ...page, items, total: (count?.['shares'] as number | undefined) ?? 0 };
};
