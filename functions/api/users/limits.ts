import type { Actor } from '../../../shared/auth/actor.ts';

const minuteMs = 60_000;

/**
 * Limits how often a session can enter its password incorrectly, so that a stolen session can't be used to guess it. API tokens
 * can't enter it, so they must not use up the attempts of their owner.
 */
export const ownPasswordLimit = {
  name: 'own-password',
  tokens: 10,
  perMs: 15 * minuteMs,
  failuresOnly: true,
  guardsPassword: true,
  key: ({
    actor,
    body,
  }: {
    readonly actor: Actor;
    readonly body: { readonly currentPassword?: string | null | undefined };
  }) =>
    actor.sessionId === undefined || body.currentPassword == null
      ? undefined
      : String(actor.user.id),
} as const;

/** Limits the searches of a user for people, so that nobody lists all of them. */
export const directoryLimit = {
  name: 'directory',
  tokens: 60,
  perMs: minuteMs,
  key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
} as const;

interface NewEmail {
  readonly actor: Actor;
  readonly body: { readonly email?: string | undefined };
}

/** Returns the new address that a session asks for, if there is one. API tokens can't change it. */
const getNewEmail = ({ actor, body }: NewEmail): string | undefined =>
  actor.sessionId === undefined || body.email === actor.user.email ? undefined : body.email;

/** Returns the bucket of a user's emails to an address. Others can't use it up, so they can't keep its owner from it. */
export const toAddressBucket = ({ user }: Actor, email: string | undefined): string | undefined =>
  email === undefined ? undefined : `${user.id} ${email}`;

/** Limits how many emails a user causes to new addresses, and to each of them. */
export const newEmailLimits = [
  {
    name: 'new-email',
    tokens: 30,
    perMs: 60 * minuteMs,
    key: (request: NewEmail) =>
      getNewEmail(request) === undefined ? undefined : String(request.actor.user.id),
  },
  {
    name: 'verification-address',
    tokens: 5,
    perMs: 60 * minuteMs,
    key: (request: NewEmail) => toAddressBucket(request.actor, getNewEmail(request)),
  },
] as const;
