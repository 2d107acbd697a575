// Sealed content: what a request must have, and what it can't (decisions.md#sealed-shares).
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { AppError, invalidField, refusedField } from '../../../../shared/runtime/errors.ts';
import { fromBase64url } from '../../../../shared/sealed/base64url.ts';
import {
  type EnvelopeHeader,
  isEnvelopeStart,
  maxEnvelopeLength,
  readTextHeader,
  SealedError,
  sealedFileName,
} from '../../../../shared/sealed/envelope.ts';
import { unknownType } from '../../../../shared/share-files/types.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { readShareObjectStart } from '../files/objects.ts';
import type { AskedOptions } from '../record/options.ts';
import { hashProof, isProof, type SealedInfo, type StoredProof } from '../record/sealed.ts';
import type { Language, StoredShare } from '../record/share.ts';
import type { AskedFiles, ChosenFiles } from './chosen-files.ts';
import { objectsAtOnce, type PreparedContent } from './prepared-files.ts';

/** What a request asks of a share that is or may be sealed. */
interface AskedSeal extends Pick<AskedOptions, 'embedOrigins' | 'showsRevisions'> {
  readonly sealed?: boolean | undefined;
  readonly proof?: string | undefined;
  readonly content?: string | undefined;
  readonly language?: Language | undefined;
  readonly files?: AskedFiles | undefined;
  readonly ownFile?: number | undefined;
  readonly password?: string | null | undefined;
  readonly useRandomPassword: boolean;
}

/** An envelope that a request has sent. */
export interface SentEnvelope extends SealedInfo {
  readonly language: Language;
}

/** Returns what the record says of an envelope. */
export const toSealedInfo = ({ bytes, passphrase }: SentEnvelope): SealedInfo => ({
  bytes,
  passphrase,
});

/** @throws AppError UNPROCESSABLE for what a sealed share can't have or be made of */
const assertPossible = ({
  password,
  useRandomPassword,
  embedOrigins,
  showsRevisions,
  ownFile,
  files,
}: AskedSeal): void => {
  if (password != null || useRandomPassword) {
    const field = useRandomPassword ? 'useRandomPassword' : 'password';
    throw refusedField(field, 'is not for a sealed share: a passphrase joins its key instead');
  }
  if (embedOrigins != null && embedOrigins.length > 0) {
    throw refusedField('embedOrigins', 'is not for a sealed share: the frame has no key');
  }
  if (showsRevisions) {
    throw refusedField('showsRevisions', 'is not for a sealed share: its revisions are envelopes');
  }
  if (ownFile !== undefined || files?.sent) {
    const field = files?.sent ? 'body' : 'file';
    throw refusedField(field, 'is not sealed: seal it, and send the envelopes by an upload');
  }
  if (files?.put) {
    throw refusedField('path', 'is of a sealed share: its content has to name the file, too');
  }
  if (files?.main != null) {
    throw refusedField('main', 'is not for a sealed share: its page is its envelope');
  }
};

/** Reads the header of an envelope that is sent as content. @throws SealedError */
const readContentHeader = (content: string): { header: EnvelopeHeader; bytes: number } => {
  const read = readTextHeader(content);
  if (read.header.kind === 'content') return read;
  throw new SealedError('mismatch', 'is the envelope of a file');
};

/**
 * Returns what the envelope that a request sends says of itself.
 * @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE for one that no client could open; UNPROCESSABLE for plain content
 */
const readSentEnvelope = (
  content: string,
  language: Language | undefined,
  before?: StoredShare,
): SentEnvelope => {
  if (content.length > maxEnvelopeLength) {
    const most = formatBytes(maxEnvelopeLength);
    const details = [{ field: 'content', message: `must be at most ${most}` }];
    throw new AppError('PAYLOAD_TOO_LARGE', `The envelope is larger than ${most}.`, { details });
  }
  let read: ReturnType<typeof readContentHeader>;
  try {
    read = readContentHeader(content);
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    const advice = before ? '; the share is sealed, so seal its new content with its key' : '';
    throw refusedField('content', `${error.message}${advice}`);
  }
  const { header, bytes } = read;
  if (language !== undefined && language !== header.language) {
    throw invalidField('language', `must be that of the envelope, which is ${header.language}`);
  }
  return { language: header.language ?? 'html', bytes, passphrase: header.passphrase };
};

const assertProof = (proof: string): string => {
  if (fromBase64url(proof)?.length === 32) return proof;
  throw invalidField('proof', 'must be 32 bytes in base64url, which are 43 characters');
};

/**
 * Returns the envelope of a new share, and the hash of its proof; `undefined` if it isn’t to be sealed.
 * @throws AppError VALIDATION_ERROR for a seal that lacks something; UNPROCESSABLE for what can't be sealed
 */
export const readNewSeal = (
  asked: AskedSeal,
): { readonly envelope: SentEnvelope; readonly proof: StoredProof } | undefined => {
  const { sealed, proof, content, language } = asked;
  if (!sealed) {
    if (proof === undefined) return undefined;
    throw invalidField('proof', 'is of a sealed share: send sealed, too');
  }
  assertPossible(asked);
  if (content === undefined) throw invalidField('content', 'is required: the envelope');
  if (proof === undefined) throw invalidField('proof', 'is required of a sealed share');
  return {
    envelope: readSentEnvelope(content, language),
    proof: hashProof(assertProof(proof)),
  };
};

/** @throws AppError UNPROCESSABLE for a change that leaves the parts of a sealed share without each other */
const assertWhole = ({ proof, content, language, files }: AskedSeal, before: StoredShare): void => {
  if (content !== undefined) return;
  const fixed = {
    proof: proof !== undefined,
    language: language !== undefined && language !== before.language,
    files: files !== undefined,
  };
  const field = Object.entries(fixed).find(([, isAsked]) => isAsked)?.[0];
  if (field === undefined) return;
  throw refusedField(field, 'changes with the content of a sealed share: send a new envelope, too');
};

/**
 * Returns the envelope that a change of a sealed share sends, if any, and its proof if that is another one than it has.
 * @throws AppError UNPROCESSABLE for plain content, for sealing a plain share, and for what a sealed one can't have
 */
export const readChangedSeal = (
  asked: AskedSeal,
  before: StoredShare,
): { readonly envelope?: SentEnvelope; readonly proof?: StoredProof } => {
  const { sealed, proof, content, language } = asked;
  const { sealed: current, password: stored } = before;
  if (!current) {
    if (!sealed && proof === undefined) return {};
    const field = sealed ? 'sealed' : 'proof';
    throw refusedField(
      field,
      'can’t be set afterwards: what was sent was readable; seal a new share',
    );
  }
  if (sealed === false) {
    throw refusedField(
      'sealed',
      'can’t be taken back: create another share with the plain content',
    );
  }
  assertPossible(asked);
  assertWhole(asked, before);
  if (content === undefined) return {};
  const envelope = readSentEnvelope(content, language, before);
  const isKept =
    proof === undefined ||
    (stored !== undefined && 'proofHash' in stored && isProof(proof, stored));
  if (!isKept) return { envelope, proof: hashProof(assertProof(proof)) };
  if (envelope.passphrase !== current.passphrase) {
    throw invalidField('proof', 'must be another one: its key is of another kind than before');
  }
  return { envelope };
};

/** @throws AppError FORBIDDEN for a moderator: what they seal, no reader could open by the link */
export const assertHasKey = (actorId: number, { ownerId }: Pick<StoredShare, 'ownerId'>): void => {
  if (actorId === ownerId) return;
  throw new AppError(
    'FORBIDDEN',
    'Only the owner of a sealed share can change its content: it takes the key.',
  );
};

/**
 * Prepares the envelopes of a share, which are stored as they are.
 * @throws AppError VALIDATION_ERROR for a name that says something; UNPROCESSABLE for files that aren’t sealed
 */
export const prepareSealed = async (
  shareId: string,
  { main, files }: ChosenFiles,
  { source, envelope }: { readonly source: string; readonly envelope: SentEnvelope },
): Promise<PreparedContent> => {
  const others = files.filter(({ path }) => path !== main);
  const named = others.find(({ path }) => !sealedFileName.test(path));
  if (named) {
    throw invalidField('files', 'must be named by a-z, 0-9 and -, with the ending .sealed');
  }
  await forEachAtOnce(others, objectsAtOnce, async ({ path, object, bytes: known }) => {
    const start =
      known ?? (object === undefined ? [] : await readShareObjectStart(shareId, object));
    if (!isEnvelopeStart(Uint8Array.from(start))) {
      throw refusedField('files', `has a file that isn’t sealed: ${path}`);
    }
  });
  const page = files.filter(({ path }) => path === main);
  const typed = [...page, ...others].map((file) => ({ ...file, type: unknownType }));
  return {
    ...{ language: envelope.language, source, missing: [] },
    sealed: toSealedInfo(envelope),
    ...(others.length > 0 && { files: { main, files: typed, isOnly: false } }),
  };
};
