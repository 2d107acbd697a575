import * as z from 'zod';
import { proofMethods } from '../../../../shared/auth/second-factors.ts';
import { Success } from '../../../../shared/http/envelope.ts';
import { optional } from '../../../../shared/input/fields.ts';
import type { StoredFactors } from './stored-factors.ts';

const exampleToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
const exampleCodes = ['7hqp-m2xk', 'v4ne-80ta', 'q9rd-ke3w', 'b61z-hh7c', 'xw5t-20pm'];

/** An example of the response where a second factor is still to be proven. */
export const exampleMfaRequired = {
  success: true,
  data: {
    mfaRequired: true as const,
    mfaToken: exampleToken,
    methods: ['totp' as const, 'recovery' as const],
  },
  message: 'Confirm it’s you',
};

/** The response to a right password where a second factor is still to be proven. */
export const MfaRequired = Success(
  z.object({
    mfaRequired: z.literal(true).meta({ description: 'Says that there are no tokens yet.' }),
    mfaToken: z.string().meta({
      description:
        'Shows that the password was right. Send it to `POST /api/auth/mfa` within 5 minutes.',
    }),
    methods: z.array(z.enum(proofMethods)).meta({
      description:
        'What completes the sign-in: a code of the authenticator app, a passkey, a recovery code.',
    }),
  }),
).meta({
  id: 'MfaRequired',
  examples: [exampleMfaRequired],
});

/** A passkey in API responses. */
export const Passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it last signed in or proved who you are. `null`: never.' }),
    isSynced: z.boolean().meta({ description: 'Whether it is kept on several devices.' }),
  })
  .meta({
    id: 'Passkey',
    examples: [
      {
        id: 'mZ3kP0cWbq7x1VvH9sTt2AmZ3kP0cWbq7x1VvH9sTt2',
        name: 'Chrome on macOS',
        createdAt: '2026-10-12T12:00:00.000Z',
        lastUsedAt: null,
        isSynced: true,
      },
    ],
  });

const exampleFactors = {
  totp: { createdAt: '2026-10-12T12:00:00.000Z' },
  passkeys: [],
  recoveryCodes: { left: 8, createdAt: '2026-10-12T12:00:00.000Z' },
};

/** A user's second factors in API responses. */
export const Factors = z
  .object({
    totp: z
      .object({ createdAt: z.iso.datetime() })
      .nullable()
      .meta({ description: 'The authenticator app.' }),
    passkeys: z.array(Passkey).meta({ description: 'Oldest first, up to 10.' }),
    recoveryCodes: z
      .object({ left: z.int().nonnegative(), createdAt: z.iso.datetime() })
      .nullable()
      .meta({ description: 'How many of the ten are left. They come with the first factor.' }),
  })
  .meta({ id: 'Factors', examples: [exampleFactors] });

/** A new factor: the factors now, and the recovery codes if it is the first one. They are shown only once. */
export const EnrolledFactor = Success(
  z.object({
    factors: Factors.meta({ description: 'Your second factors as they are now.' }),
    codes: z.array(z.string()).nullable().meta({
      description:
        'The recovery codes that came with the first factor, shown only once; else `null`.',
    }),
  }),
).meta({
  id: 'EnrolledFactor',
  examples: [{ success: true, data: { factors: exampleFactors, codes: exampleCodes } }],
});

/** New recovery codes, shown only once. */
export const RecoveryCodes = Success(
  z.object({
    codes: z.array(z.string()).meta({ description: 'The recovery codes, shown only once.' }),
  }),
).meta({
  id: 'RecoveryCodes',
  examples: [{ success: true, data: { codes: exampleCodes } }],
});

/** A password that proves a user without a second factor who signed in over 15 minutes ago. */
export const currentPassword = optional(z.string().max(256), (text) => text === '').meta({
  description: 'Your password, if you have no second factor and signed in over 15 minutes ago.',
});

/** A typed code. */
export const Code = z.string().max(32).meta({
  description:
    'Six digits of the authenticator app, or a recovery code. Spaces and dashes don’t count.',
});

/** Converts second factors. */
export const toFactors = ({
  totp,
  passkeys = {},
  codes,
}: StoredFactors): z.output<typeof Factors> => ({
  totp: totp ? { createdAt: totp.createdAt } : null,
  passkeys: Object.entries(passkeys)
    .map(([id, { name, createdAt, lastUsedAt, isSynced }]) => ({
      id,
      name,
      createdAt,
      lastUsedAt: lastUsedAt ?? null,
      isSynced,
    }))
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
  recoveryCodes: codes
    ? { left: Object.keys(codes.unused).length, createdAt: codes.createdAt }
    : null,
});
