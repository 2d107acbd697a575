import type { Actor } from '../../../shared/auth/actor.ts';

const minuteMs = 60_000;

/** Tries of a session to tell one's own password: whoever has taken it over must not guess on. */
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
