import { ApiError } from './api-error.ts';
import { clientTexts as texts } from './texts.ts';
import { orAbort } from './transport.ts';

/** Returns whether a call was refused until its user proves again who they are. */
export const isUnproven = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'REAUTHENTICATION_REQUIRED';

/** Creates the error of a call whose user didn't prove who they are. */
export const notProven = ({ status, code }: ApiError): ApiError =>
  new ApiError(status, texts.notProven, { code });

/** Asks a user to prove who they are. Returns `false` if they didn't. */
export type AskForProof = (error: ApiError) => unknown;

/** Creates what asks for a proof once for concurrent calls. */
export const createProof = (ask: AskForProof | undefined) => {
  let proofs = 0;
  let pending: Promise<boolean> | undefined;

  const askOnce = async (error: ApiError): Promise<boolean> => {
    const isProven = ask !== undefined && (await ask(error)) !== false;
    if (isProven) proofs++;
    return isProven;
  };

  return {
    /** How many proofs there have been. */
    getCount: (): number => proofs,
    /**
     * Asks for a proof after a refusal, unless there was one since the request was sent. Resolves when the request may be repeated.
     * @throws ApiError if the user gives none, or it can't be asked for; the reason of the signal if it aborts
     */
    async recover(error: ApiError, countBefore: number, signal: AbortSignal | undefined) {
      if (ask === undefined) throw error;
      if (countBefore !== proofs) return;
      pending ??= askOnce(error).finally(() => {
        pending = undefined;
      });
      if (!(await orAbort(pending, signal))) throw notProven(error);
    },
  };
};
