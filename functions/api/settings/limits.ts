import type { Actor } from '../../../shared/auth/actor.ts';

/** Limits test emails, because each one costs something and may annoy. */
export const testMailLimit = {
  name: 'test-mail',
  tokens: 5,
  perMs: 15 * 60_000,
  key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
} as const;
