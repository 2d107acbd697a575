import * as z from 'zod';
import type { AuditEntry } from '../../../shared/audit/audit-log.ts';
import { listRecentAbout } from '../../../shared/audit/entries-about.ts';

/** How someone signs in first; a second factor may follow. */
const methods = ['password', 'passkey', 'link', 'provider', 'email', 'registration'] as const;

export type SignInMethod = (typeof methods)[number];

/** What is asked for after the password. `device`: nothing, because the device isn't asked. */
const factors = ['totp', 'passkey', 'recovery', 'device'] as const;

const example = {
  id: 'q2V5c3Rp',
  at: '2026-11-21T12:00:00.000Z',
  succeeded: true,
  method: 'password' as const,
  factor: 'totp' as const,
  reason: null,
  device: 'Firefox on Linux',
  address: '192.0.2.1',
};

/** A sign-in of a user, or an attempt at one, in API responses. */
export const SignIn = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    succeeded: z.boolean().meta({ description: 'Whether someone was signed in.' }),
    method: z.enum(methods).meta({
      description:
        'What was given first: the password, a passkey alone, a new password by a link, an account at a provider, a code or link by email, or a new account.',
    }),
    factor: z.enum(factors).nullable().meta({
      description:
        'What was given after the password. `recovery`: a recovery code; `device`: nothing, because that device isn’t asked. `null`: nothing.',
    }),
    reason: z.string().nullable().meta({
      description: 'Why it failed, such as `wrong password`. `null`: it succeeded.',
    }),
    device: z.string().nullable().meta({
      description: 'The kind of browser and system. `null`: unknown.',
    }),
    address: z.string(),
  })
  .meta({ id: 'SignIn', examples: [example] });

/** How many are listed. */
const maxListed = 50;

/** How many entries about a user are examined for them. */
const maxExamined = 500;

/** The actions that are sign-ins. Registering is one, too. */
const actions = ['session.create', 'session.fail', 'user.register'];

const findIn = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toSignIn = ({
  id,
  at,
  action,
  address,
  after = {},
}: AuditEntry): z.output<typeof SignIn> => ({
  id,
  at,
  succeeded: action !== 'session.fail',
  method:
    action === 'user.register' ? 'registration' : (findIn(methods, after['method']) ?? 'password'),
  // A passkey alone is no second one.
  factor: after['method'] === 'passkey' ? null : (findIn(factors, after['factor']) ?? null),
  reason: action === 'session.fail' ? (toText(after['reason']) ?? 'unknown') : null,
  device: toText(after['device']),
  address,
});

/** Lists the last 50 sign-ins of a user and attempts, newest first, as the audit log has them (decisions.md#second-factors). */
export const listSignIns = async (userId: number): Promise<z.output<typeof SignIn>[]> => {
  const bound = { max: maxListed, examined: maxExamined };
  return (await listRecentAbout(`user:${userId}`, actions, bound)).map(toSignIn);
};
