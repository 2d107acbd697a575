import { ApiError } from '../client/api-error.ts';
import type { Data } from '../client/endpoints.ts';
import { post } from '../data/post.ts';
import { loadCeremonies } from './load.ts';
import { PasskeyError } from './passkey-error.ts';
import { canSuggestPasskeys } from './support.ts';

type Options = Data<'POST /api/auth/login/passkey/options'>;

const getOptions = async (mfaToken?: string): Promise<Options> => {
  const body = await post(
    '/api/auth/login/passkey/options',
    mfaToken === undefined ? {} : { mfaToken },
  );
  return (body as { readonly data: Options }).data;
};

/** The ceremony that a button has started, if one runs: the browser takes one at a time. */
let running: Promise<unknown> | undefined;

/** Runs what a button starts. It ends the suggestions, which go on after it if it fails. */
const runAlone = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  const result = run();
  running = result;
  try {
    return await result;
  } finally {
    if (running === result) running = undefined;
  }
};

/**
 * Lets the user sign in by a passkey alone: call it at the press of a button.
 * @throws ApiError; PasskeyError
 */
export const signInByPasskey = (): Promise<void> =>
  runAlone(async () => {
    const [{ usePasskey }, { challengeToken, options }] = await Promise.all([
      loadCeremonies(),
      getOptions(),
    ]);
    const response = await usePasskey(options);
    await post('/api/auth/login/passkey', { challengeToken, response });
  });

/**
 * Lets the user complete a sign-in by a passkey as second factor. With `remember`, this device isn't asked again for 30 days.
 * @throws ApiError, with the status 401 if the sign-in must start again; PasskeyError
 */
export const completeByPasskey = (mfaToken: string, remember = false): Promise<void> =>
  runAlone(async () => {
    const [{ usePasskey }, { challengeToken, options }] = await Promise.all([
      loadCeremonies(),
      getOptions(mfaToken),
    ]);
    const response = await usePasskey(options);
    await post('/api/auth/mfa', { mfaToken, passkey: { challengeToken, response }, remember });
  });

/** What a page does with a passkey that was chosen among the suggestions. */
export interface Suggestions {
  /** Called once the user is signed in. */
  readonly onSignedIn: () => unknown;
  /** Called with an ApiError if the passkey was refused. The suggestions go on. */
  readonly onFailure: (error: ApiError) => unknown;
}

/** Challenges end after 5 minutes; a page may wait for longer. */
const renewMs = 4 * 60_000;

/** A page that is left open asks for about an hour. */
const maxRenewals = 15;

/** Whoever cancels thrice wants none. */
const maxCanceled = 3;

type Outcome = 'signed in' | 'renewed' | 'refused' | 'canceled';

/** Waits for a passkey to be chosen, and signs in by it. @throws ApiError if there are no options; PasskeyError */
const suggestOnce = async ({ onFailure }: Suggestions): Promise<Outcome> => {
  const [{ usePasskey, cancelPasskey }, { challengeToken, options }] = await Promise.all([
    loadCeremonies(),
    getOptions(),
  ]);
  // What a button has started since must not be ended.
  if (running) return 'renewed';
  let isOld = false;
  const timer = setTimeout(() => {
    isOld = true;
    if (!running) cancelPasskey();
  }, renewMs);
  try {
    const response = await usePasskey(options, true);
    await post('/api/auth/login/passkey', { challengeToken, response });
    return 'signed in';
  } catch (error) {
    if (error instanceof ApiError) {
      onFailure(error);
      return 'refused';
    }
    if (!(error instanceof PasskeyError) || error.problem !== 'canceled') throw error;
    return isOld || running ? 'renewed' : 'canceled';
  } finally {
    clearTimeout(timer);
  }
};

/** Returns whether what a button has started, if it has, signs in. */
const isSignedInByButton = async (): Promise<boolean> =>
  running !== undefined &&
  (await running.then(
    () => true,
    () => false,
  ));

/**
 * Suggests passkeys in the field whose `autocomplete` ends with `webauthn`, where the browser can, and signs in by the one that
 * is chosen. Nothing is said if that is impossible: the page works without.
 */
export const suggestPasskeys = async (suggestions: Suggestions): Promise<void> => {
  if (!(await canSuggestPasskeys())) return;
  let canceled = 0;
  for (let renewals = 0; renewals < maxRenewals && canceled < maxCanceled; renewals++) {
    const outcome = await suggestOnce(suggestions).catch(() => undefined);
    if (outcome === undefined) return;
    if (outcome === 'signed in') {
      suggestions.onSignedIn();
      return;
    }
    if (outcome === 'canceled') canceled++;
    if (await isSignedInByButton()) return;
  }
};
