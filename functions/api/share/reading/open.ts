import { enqueue } from '../../../../shared/jobs/queue.ts';
import { isOpenToAll } from '../record/audience.ts';
import { purgeShareJob } from '../record/jobs.ts';
import {
  contentRetentionMs,
  endedError,
  type OpenedShare,
  type ShareAccess,
  type StoredShare,
} from '../record/share.ts';
import { isPassword } from '../record/share-password.ts';
import { findViewId, type ViewIds } from '../record/view-ids.ts';
import { announceFirstView, assertPassword, consumeView, type Viewer } from '../record/views.ts';
import { requiresToken } from './access.ts';
import type { Admission, AdmittedShare, ReadableShare } from './admission.ts';
import { recordReceipt } from './receipts.ts';
import { tellOfLastView, tellOfView } from './share-events.ts';
import {
  type CountedView,
  issueFilesToken,
  issueViewToken,
  type OpenedWith,
  readViewToken,
} from './view-token.ts';

/** Verifies the given password, if any, and describes the viewer accordingly. */
const identifyViewer = async (
  { share: { password: stored, audienceId, files }, link }: Admission,
  password: string | undefined,
): Promise<Viewer> => {
  const viewer = { link, audienceId, hasFiles: files !== undefined };
  if (!stored || password === undefined) return viewer;
  return (await isPassword(password, stored))
    ? { passwordId: stored.id, ...viewer }
    : { hasGivenPassword: true, ...viewer };
};

/**
 * Verifies the password, and gives access to the texts that a view is consumed for. `isReplaceable` says whether they may be
 * those of a later version.
 * @throws AppError UNAUTHORIZED for a missing or incorrect password
 */
const unlock = async (
  admission: Admission,
  password: string | undefined,
  isReplaceable: boolean,
): Promise<{ readonly readable: ReadableShare; readonly viewer: Viewer }> => {
  if (admission.reading !== undefined) {
    const { link, share } = admission;
    return { readable: admission, viewer: { link, audienceId: share.audienceId } };
  }
  const viewer = await identifyViewer(admission, password);
  const verify = async () => assertPassword(admission.access, viewer);
  return { readable: await admission.unlock(verify, { isReplaceable }), viewer };
};

/** Returns the reader whom a view token has to name: a share that anyone can open, or a link, is for whoever has the token. */
const getNamedReader = ({ share, reader, link }: Admission): number | undefined =>
  link !== undefined || isOpenToAll(share) ? undefined : reader;

/** Does what follows a view: the purge after the last, the notification of the first, its receipt, and its owner’s webhooks. */
const followUp = async (
  admission: Admission,
  { access, viewId, isRepeated }: Awaited<ReturnType<typeof consumeView>>,
): Promise<void> => {
  const { share, told, link } = admission;
  const reader = getNamedReader(admission);
  await Promise.all([
    schedulePurge(share, access),
    announceFirstView(share.id, access, 1),
    recordReceipt(share, reader, viewId),
    isRepeated
      ? undefined
      : tellOfView(told, { share, access }, { id: viewId, readerId: reader }, link),
    tellOfLastView(told, { share, access }),
  ]);
};

/**
 * Schedules the purge of an ended share after its view tokens expire. The scheduled run covers a lost job, and does it for a
 * share with files, whose tokens are valid for longer than a job can wait.
 */
const schedulePurge = async ({ id, files }: StoredShare, access: ShareAccess): Promise<void> => {
  if (access.endedAt === undefined || files) return;
  await enqueue(purgeShareJob, { id }, { delaySeconds: contentRetentionMs / 1_000 });
};

/**
 * Opens a share with its content and consumes one view. The content is read first, because a throttled partition may
 * reject a refund. `assertSendable` throws if the response can't have it. `onConsumed` runs and is awaited once the view is
 * consumed.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED for a missing or incorrect password; none consumes a view
 */
export const openContent = async (
  admission: Admission,
  password: string | undefined,
  assertSendable: (opened: OpenedShare) => void,
  onConsumed?: () => Promise<void>,
): Promise<OpenedShare> => {
  const { readable, viewer } = await unlock(admission, password, true);
  const opened = await readable.readContent();
  assertSendable(opened);
  const { share } = admission;
  const consumed = await consumeView(share.id, viewer, admission.access);
  await Promise.all([onConsumed?.(), followUp(admission, consumed)]);
  const { link, addressId, proofId } = admission;
  const filesPrefix = await issuePrefix(
    { share: opened.share, link, addressId },
    { ...viewer, reader: getNamedReader(admission), proofId, at: getSeconds() },
  );
  return { ...opened, access: consumed.access, filesPrefix };
};

/**
 * Returns what `openContent` would, without consuming a view: for HEAD requests.
 * @throws AppError as `openContent`
 */
export const openWithoutView = async (
  admission: Admission,
  password: string | undefined,
): Promise<OpenedShare> => {
  const { readable } = await unlock(admission, password, true);
  const opened = await readable.readContent();
  return { ...opened, access: { ...opened.access, views: opened.access.views + 1 } };
};

/** Asserts that the displayed text can be read from S3. The table is available if the access item is. */
const assertReadable = async (readable: ReadableShare): Promise<void> => {
  const { texts, language } = readable.share;
  if (texts?.place === 'bucket')
    await readable.readText(language === 'markdown' ? 'page' : 'source');
};

/** The views that a request may belong to. */
interface PossibleViews {
  readonly ids: ViewIds;
  /** Returns when the view of an id was counted, in ms since 1970. */
  countedAt(viewId: string): number;
}

/** A view that was just consumed, and the token that gives access to its content. */
interface ConsumedView {
  readonly viewId: string;
  readonly token: string;
}

/**
 * Consumes a view without returning the content. Requests with a view id in common consume one view; each needs the
 * password. `assertSendable` throws if the client can't get the content.
 * @throws AppError as `openContent`
 */
export const openView = async (
  admission: Admission,
  password: string | undefined,
  assertSendable: (share: StoredShare) => void,
  views?: PossibleViews,
): Promise<ConsumedView> => {
  const { share, access, addressId, proofId } = admission;
  const { readable, viewer } = await unlock(admission, password, false);
  if (!share.texts) throw endedError();
  assertSendable(share);
  if (!views || !findViewId(access, views.ids)) await assertReadable(readable);
  const viewing = { ...viewer, ...(views && { viewIds: views.ids }) };
  const consumed = await consumeView(share.id, viewing, access);
  const [token] = await Promise.all([
    issueViewToken(
      addressId,
      share.texts,
      { ...viewer, reader: getNamedReader(admission), proofId },
      views?.countedAt(consumed.viewId),
    ),
    followUp(admission, consumed),
  ]);
  return { viewId: consumed.viewId, token };
};

/** Returns whom a token for the parts of a page is for, where a session opened it. */
const getPageHolder = (admitted: AdmittedShare): OpenedWith => ({
  passwordId: admitted.share.password?.id,
  reader: getNamedReader(admitted),
  proofId: admitted.proofId,
});

/**
 * Returns the token by which the parts of a page are read: that of the view, or one of no view for the owner and for readers
 * by their session.
 */
export const issuePageToken = async (admitted: AdmittedShare): Promise<string | undefined> => {
  const { reading, share, link, view, addressId } = admitted;
  const isBySession = reading === 'own' || reading === 'reader';
  return isBySession && requiresToken(share, link) && share.texts
    ? issueViewToken(addressId, share.texts, getPageHolder(admitted))
    : view;
};

/** Returns what the addresses of the files of a share begin with, for whoever opened it with this. */
const issuePrefix = async (
  { share, link, addressId }: Pick<Admission, 'share' | 'link' | 'addressId'>,
  view: CountedView,
): Promise<string | undefined> => {
  const { files, texts } = share;
  if (!files || !texts) return undefined;
  return requiresToken(share, link) ? issueFilesToken(addressId, texts, view) : addressId;
};

/** The time in s since 1970. */
const getSeconds = (): number => Math.floor(Date.now() / 1_000);

/**
 * Returns what the addresses of a share’s files begin with on its page: the id in the page’s address, or a token that ends 15
 * minutes after the view. Returns `undefined` if it has no files.
 */
export const issueFilesPrefix = async (admitted: AdmittedShare): Promise<string | undefined> => {
  const { share, view, addressId } = admitted;
  if (!share.files) return undefined;
  const counted = await readViewToken(view, share, addressId);
  return issuePrefix(admitted, counted ?? { ...getPageHolder(admitted), at: getSeconds() });
};

/** The owner gets the same token for some time, so that their answer is the same. s. */
const ownTokenSeconds = 300;

/** Returns what `issueFilesPrefix` would, for the owner of a share. Its token ends after 10 to 15 minutes. */
export const issueOwnFilesPrefix = async (share: StoredShare): Promise<string | undefined> => {
  const at = Math.floor(getSeconds() / ownTokenSeconds) * ownTokenSeconds;
  const reader = isOpenToAll(share) ? undefined : share.ownerId;
  return issuePrefix(
    { share, link: undefined, addressId: share.id },
    { passwordId: share.password?.id, reader, at },
  );
};
