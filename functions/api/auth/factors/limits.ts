import type { Actor } from '../../../../shared/auth/actor.ts';
import { readToken } from '../../../../shared/auth/tokens.ts';

const minuteMs = 60_000;

/** Five tries; of a million codes, three are right at a time. */
const few = { name: 'code', tokens: 5, perMs: 15 * minuteMs, guardsPassword: true } as const;

/** Without it, five tries every 15 minutes would find one of a million codes within two years. */
const daily = {
  name: 'code-day',
  tokens: 30,
  perMs: 24 * 60 * minuteMs,
  guardsPassword: true,
} as const;

interface SecondStepRequest {
  readonly body: { readonly mfaToken: string; readonly code?: string | null | undefined };
}

/** The account of a second step, if a code was sent; passkeys can't be guessed. */
const getSubject = async ({ body }: SecondStepRequest): Promise<string | undefined> =>
  body.code == null ? undefined : (await readToken('mfa', body.mfaToken))?.sub;

/** Limits the codes that are tried after a password. */
export const secondStepLimits = [
  { ...few, failuresOnly: true, key: getSubject },
  { ...daily, failuresOnly: true, key: getSubject },
] as const;

interface OwnCodeRequest {
  readonly actor: Actor;
  readonly body: { readonly code?: string | null | undefined };
}

const getOwn = ({ actor, body }: OwnCodeRequest): string | undefined =>
  body.code == null ? undefined : String(actor.user.id);

/** Limits the codes that a session tries, in the same buckets. */
export const ownCodeLimits = [
  { ...few, failuresOnly: true, key: getOwn },
  { ...daily, failuresOnly: true, key: getOwn },
] as const;
