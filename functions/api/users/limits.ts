import type { Actor } from '../../../shared/auth/actor.ts';

const minuteMs = 60_000;

/** Limits how often a session can enter its password incorrectly, so that a stolen session can't be used to guess it. */
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
  }) => (body.currentPassword == null ? undefined : String(actor.user.id)),
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

/** Returns the new address that a request asks for, if there is one. */
const getNewEmail = ({ actor, body }: NewEmail): string | undefined =>
  body.email === actor.user.email ? undefined : body.email;

/** Limits how many emails to new addresses a user causes, and an address gets from all users. */
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
    isShared: true,
    key: getNewEmail,
  },
] as const;
