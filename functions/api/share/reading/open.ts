import { enqueue } from '../../../../shared/jobs/queue.ts';
import { isOpenToAll } from '../record/audience.ts';
import { purgeShareJob } from '../record/jobs.ts';
import { isProof, sealedError } from '../record/sealed.ts';
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

/** What a reader gives to open a share. */
export interface Given {
  readonly password?: string | undefined;
  /** Of the key of a sealed share. */
  readonly proof?: string | undefined;
}

/** Whether the reader gave what opens a share; `undefined` if nothing of its kind was given. */
const isOpenedBy = async (
  stored: NonNullable<StoredShare['password']>,
  { password, proof }: Given,
): Promise<boolean | undefined> => {
  if ('proofHash' in stored) return proof === undefined ? undefined : isProof(proof, stored);
  return password === undefined ? undefined : isPassword(password, stored);
};

/** Verifies the given password or proof, if any, and describes the viewer accordingly. */
const identifyViewer = async (
  { share: { password: stored, audienceId, files, sealed }, link }: Admission,
  given: Given,
): Promise<Viewer> => {
  const viewer = {
    ...{ link, audienceId, hasFiles: files !== undefined },
    ...(sealed && { isSealed: true }),
  };
  const isOpened = stored && (await isOpenedBy(stored, given));
  if (isOpened === undefined) return viewer;
  return isOpened ? { passwordId: stored?.id, ...viewer } : { hasGivenPassword: true, ...viewer };
};

/**
 * Verifies the password or proof, and gives access to the texts that a view is consumed for. `isReplaceable` says whether they may
 * be those of a later version.
 * @throws AppError UNAUTHORIZED for a missing or incorrect one
 */
const unlock = async (
  admission: Admission,
  given: Given,
  isReplaceable: boolean,
): Promise<{ readonly readable: ReadableShare; readonly viewer: Viewer }> => {
  if (admission.reading !== undefined) {
    const { link, share } = admission;
    return { readable: admission, viewer: { link, audienceId: share.audienceId } };
  }
  const viewer = await identifyViewer(admission, given);
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

/** The views that a request may belong to. */
interface PossibleViews {
  readonly ids: ViewIds;
  /** Returns when the view of an id was counted, in ms since 1970. */
  countedAt(viewId: string): number;
}

/** What a request that opens a share does besides. */
interface OpenOptions {
  /** Throws if the response can't have it. */
  readonly assertSendable: (opened: OpenedShare) => void;
  /** Runs once the view is consumed, and is awaited. */
  readonly onConsumed?: (viewId: string) => Promise<void>;
  readonly views?: PossibleViews | undefined;
}

/**
 * Opens a share with its content and consumes one view. The content is read first, because a throttled partition may
 * reject a refund. Requests with a view id in common consume one.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED for a missing or incorrect password or proof; none consumes a view
 */
export const openContent = async (
  admission: Admission,
  given: Given,
  { assertSendable, onConsumed, views }: OpenOptions,
): Promise<OpenedShare> => {
  const { readable, viewer } = await unlock(admission, given, true);
  const opened = await readable.readContent();
  assertSendable(opened);
  const { share } = admission;
  const viewing = { ...viewer, ...(views && { viewIds: views.ids }) };
  const consumed = await consumeView(share.id, viewing, admission.access);
  await Promise.all([onConsumed?.(consumed.viewId), followUp(admission, consumed)]);
  const { link, addressId, proofId } = admission;
  const at = views ? toSeconds(views.countedAt(consumed.viewId)) : getSeconds();
  const filesPrefix = await issuePrefix(
    { share: opened.share, link, addressId },
    { ...viewer, reader: getNamedReader(admission), proofId, at },
  );
  return { ...opened, access: consumed.access, filesPrefix };
};

/**
 * Returns what `openContent` would, without consuming a view: for HEAD requests.
 * @throws AppError as `openContent`
 */
export const openWithoutView = async (admission: Admission, given: Given): Promise<OpenedShare> => {
  const { readable } = await unlock(admission, given, true);
  const opened = await readable.readContent();
  return { ...opened, access: { ...opened.access, views: opened.access.views + 1 } };
};

/** Asserts that the displayed text can be read from S3. The table is available if the access item is. */
const assertReadable = async (readable: ReadableShare): Promise<void> => {
  const { texts, language } = readable.share;
  if (texts?.place === 'bucket')
    await readable.readText(language === 'markdown' ? 'page' : 'source');
};

/** A view that was just consumed, and the token that gives access to its content. */
interface ConsumedView {
  readonly viewId: string;
  readonly token: string;
}

/**
 * Consumes a view without returning the content. Requests with a view id in common consume one view; each needs the
 * password. `assertSendable` throws if the client can't get the content.
 * @throws AppError as `openContent`; UNPROCESSABLE of a sealed share, which no form opens
 */
export const openView = async (
  admission: Admission,
  password: string | undefined,
  assertSendable: (share: StoredShare) => void,
  views?: PossibleViews,
): Promise<ConsumedView> => {
  const { share, access, addressId, proofId } = admission;
  if (share.sealed) throw sealedError();
  const { readable, viewer } = await unlock(admission, { password }, false);
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

const toSeconds = (ms: number): number => Math.floor(ms / 1_000);

/** The time in s since 1970. */
const getSeconds = (): number => toSeconds(Date.now());

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
