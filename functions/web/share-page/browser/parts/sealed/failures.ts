import { SealedError } from '../../../../../../shared/sealed/envelope.ts';
import { keyRefused } from '../../../../../../shared/sealed/refusals.ts';
import { ApiError } from '../../../../browser/client/api-error.ts';
import { sealedTexts as texts } from './texts.ts';

/** Why a share wasn’t opened, and what follows. */
export interface OpeningFailure {
  readonly text: string;
  /** Whether another key or passphrase may open it. */
  readonly isKeyWrong?: boolean;
  /** Whether the page of the service says more: that it ended, or that one has to sign in. */
  readonly reloads?: boolean;
}

/** How a share is opened. */
interface Attempt {
  readonly isOwn: boolean;
  readonly hasPassphrase: boolean;
  /** Whether a view may have been counted though nothing arrived. */
  readonly counts: boolean;
}

const minuteMs = 60_000;

const describeWrongKey = ({ isOwn, hasPassphrase }: Attempt): string => {
  if (isOwn) return hasPassphrase ? texts.wrongOwnPassphrase : texts.wrongOwnKey;
  return hasPassphrase ? texts.wrongPassphrase : texts.wrongKey;
};

const describeSealed = ({ problem }: SealedError, attempt: Attempt): OpeningFailure => {
  if (problem === 'version') return { text: texts.newer };
  // The service checks a reader’s key before it gives anything: what that key doesn’t open was changed.
  const isKeyWrong = problem === 'key' && attempt.isOwn;
  return isKeyWrong ? { text: describeWrongKey(attempt), isKeyWrong } : { text: texts.damaged };
};

const describeResponse = (error: ApiError, attempt: Attempt): OpeningFailure => {
  const { status, message, retryAfterMs } = error;
  if (status === 401) {
    const isKeyWrong = message === keyRefused;
    return isKeyWrong
      ? { text: describeWrongKey(attempt), isKeyWrong }
      : { text: message, reloads: true };
  }
  if (status === 404 || status === 410) return { text: texts.gone, reloads: true };
  if (status === 429 && retryAfterMs !== undefined) {
    return { text: texts.tooMany(Math.max(1, Math.ceil(retryAfterMs / minuteMs))) };
  }
  const isLost = status === 0 || status >= 500;
  return { text: isLost && attempt.counts ? `${message} ${texts.sameView}` : message };
};

/** Says why a share wasn’t opened. */
export const describeFailure = (error: unknown, attempt: Attempt): OpeningFailure => {
  if (error instanceof SealedError) return describeSealed(error, attempt);
  if (error instanceof ApiError) return describeResponse(error, attempt);
  return { text: texts.notShown };
};
