// What is stored of the key of a sealed share: a hash of its proof, in the place of a password's (decisions.md#sealed-shares).
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { keyRefused } from '../../../../shared/sealed/refusals.ts';

/** The proof of a sealed share's key, as stored. */
export interface StoredProof {
  /** Changes with every new key. */
  readonly id: string;
  /** SHA-256: 256 bits that nobody can guess need no salt and no slow hash. */
  readonly proofHash: Uint8Array;
}

/** What the record says of a sealed share. */
export interface SealedInfo {
  /** The size of its envelope, in bytes. */
  readonly bytes: number;
  /** Whether a passphrase joins its key, so that its tries are worth counting. */
  readonly passphrase: boolean;
}

const hash = (proof: string): Buffer => createHash('sha256').update(proof).digest();

/** Returns what to store of a proof. */
export const hashProof = (proof: string): StoredProof => ({
  id: randomBytes(6).toString('base64url'),
  proofHash: hash(proof),
});

/** Whether this is the proof of a sealed share's key. */
export const isProof = (proof: string, { proofHash }: StoredProof): boolean =>
  timingSafeEqual(hash(proof), proofHash);

/** Creates the error for what needs the text of a sealed share, such as a page or a diff. */
export const sealedError = () =>
  new AppError(
    'UNPROCESSABLE',
    'This share is sealed: the service can’t read it. Open its link with the key in a browser.',
  );

/** Creates the error for who doesn’t prove the key of a sealed share. */
export const proofRequired = () =>
  new AppError(
    'UNAUTHORIZED',
    'This share is sealed. Open its link with the key in a browser, or send the proof of the key as X-Share-Proof.',
  );

export const proofIncorrect = () => new AppError('UNAUTHORIZED', keyRefused);
