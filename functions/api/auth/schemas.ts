import * as z from 'zod';
import type { Ceiling, StoredApiToken, StoredSession } from '../../../shared/auth/actor.ts';
import { Success } from '../../../shared/http/envelope.ts';
import { integer, label, optional } from '../../../shared/input/fields.ts';
import { maxExpirySeconds, maxSharesPerDay, maxViews } from '../../../shared/input/share-limits.ts';
import { audiences } from '../../../shared/permissions/audiences.ts';
import { isTokenEntry } from '../../../shared/permissions/scopes.ts';

/** A session in API responses. */
export const Session = z
  .object({
    id: z.string(),
    device: z.string().nullable().meta({ description: 'The user agent that signed in.' }),
    address: z.string(),
    current: z.boolean(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().meta({ description: 'When it was last used, to the hour.' }),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'Session',
    examples: [
      {
        id: 'mZ3kP0cWbq7x1VvH9sTt2A',
        device: 'Mozilla/5.0',
        address: '192.0.2.1',
        current: true,
        createdAt: '2026-11-21T12:00:00.000Z',
        lastUsedAt: '2026-11-21T12:00:00.000Z',
        expiresAt: '2026-11-28T12:00:00.000Z',
      },
    ],
  });

const bounds = {
  maxAudience:
    'Who can open what it publishes: its owner alone (`private`), chosen `people`, too, signed-in `members`, or anyone with the `link`. Recipient links and embedding count as `link`.',
  maxViews: 'The highest view limit of what it publishes.',
  maxAge: 'For how many seconds, from its creation, a share or link can be open.',
  sharesPerDay: 'How many shares it can create a day (UTC).',
} as const;

const exampleToken = {
  id: 244_212_480_000_000,
  name: 'Release notes',
  permissions: ['shares:create', 'shares:update'],
  ceiling: { maxAudience: 'members', maxViews: null, maxAge: 604_800, sharesPerDay: 20 },
  expiresAt: '2027-02-19T12:00:00.000Z',
  createdAt: '2026-11-21T12:00:00.000Z',
  lastUsedAt: null,
};

/** What an API token may publish at most, in API responses. */
export const TokenCeiling = z
  .object({
    maxAudience: z.enum(audiences).nullable().meta({ description: bounds.maxAudience }),
    maxViews: z.int().nullable().meta({ description: bounds.maxViews }),
    maxAge: z.int().nullable().meta({ description: bounds.maxAge }),
    sharesPerDay: z.int().nullable().meta({ description: bounds.sharesPerDay }),
  })
  .meta({ id: 'TokenCeiling', examples: [exampleToken.ceiling] });

/** An API token in API responses, without the secret part. */
export const ApiToken = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    permissions: z.array(z.string()).nullable().meta({
      description: 'The permissions and scopes of the token. `null`: all that its owner may.',
    }),
    ceiling: TokenCeiling.nullable().meta({
      description: 'What it may publish at most. `null`: no bounds.',
    }),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was last used, to the hour.' }),
  })
  .meta({
    id: 'ApiToken',
    examples: [exampleToken],
  });

/** The response to a new API token: the only one with the token itself. */
export const CreatedApiToken = Success(ApiToken.extend({ token: z.string() })).meta({
  id: 'CreatedApiToken',
  examples: [
    {
      success: true,
      data: {
        ...exampleToken,
        token: 'hb_2eg7k9x1s_0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162731a2b3c4d',
      },
      message: 'Copy the token now. It won’t be shown again.',
    },
  ],
});

const TokenEntry = z
  .string()
  .refine(
    isTokenEntry,
    'must be a permission or scope, for example documents:view, shares:create, shares:* or *',
  );

/** The body of `POST /api/auth/tokens`. */
export const CreateApiTokenInput = z
  .object({
    name: label(100),
    permissions: optional(z.array(TokenEntry).max(100)).meta({
      description:
        'The permissions and scopes of the token. Without them, it may do all that you may; with `[]`, nothing of yours. `shares:*` is all scopes of your own shares.',
    }),
    ceiling: optional(
      z.object({
        maxAudience: optional(z.enum(audiences, `must be one of ${audiences.join(', ')}`)).meta({
          description: bounds.maxAudience,
        }),
        maxViews: optional(integer(maxViews)).meta({ description: bounds.maxViews }),
        maxAge: optional(integer(maxExpirySeconds)).meta({ description: bounds.maxAge }),
        sharesPerDay: optional(integer(maxSharesPerDay)).meta({ description: bounds.sharesPerDay }),
      }),
    ).meta({
      description: 'What it may publish at most. It bounds nothing else.',
    }),
    expiresInDays: optional(integer(3_650)),
    currentPassword: optional(z.string().max(256), (text) => text === '').meta({
      description:
        'Your password. If you signed in over 15 minutes ago, it is required for a token that lasts more than 90 days or has no end; has no `permissions`, `*`, a `:manage` permission or one that changes users; or may publish without a ceiling of `maxAge` or `sharesPerDay`.',
    }),
  })
  .meta({
    id: 'CreateApiTokenInput',
    examples: [
      {
        name: exampleToken.name,
        permissions: exampleToken.permissions,
        ceiling: { maxAudience: 'members', maxAge: 604_800, sharesPerDay: 20 },
        expiresInDays: 90,
      },
    ],
  });

/** Converts a ceiling: null becomes absent. An empty one is none. */
export const toCeiling = (
  input: z.output<typeof CreateApiTokenInput>['ceiling'],
): Ceiling | undefined => {
  const given = Object.entries(input ?? {}).filter(([, bound]) => bound != null);
  return given.length === 0 ? undefined : Object.fromEntries(given);
};

/** The id of a session in a path. */
export const SessionId = z.string().regex(/^[\w-]{1,64}$/);

/** The response to the end of a session. */
export const RevokedSession = Success(z.object({ id: z.string() })).meta({
  id: 'RevokedSession',
  examples: [{ success: true, data: { id: 'mZ3kP0cWbq7x1VvH9sTt2A' }, message: 'Session ended' }],
});

/** The response to the end of an API token. */
export const RevokedApiToken = Success(z.object({ id: z.int().positive() })).meta({
  id: 'RevokedApiToken',
  examples: [{ success: true, data: { id: 244_212_480_000_000 }, message: 'Token revoked' }],
});

/** Converts a session. `currentId` is that of the request, unless an API token sent it. */
export const toSession = (
  stored: StoredSession,
  currentId: string | undefined,
): z.output<typeof Session> => ({
  id: stored.id,
  device: stored.userAgent ?? null,
  address: stored.address,
  current: stored.id === currentId,
  createdAt: stored.createdAt,
  lastUsedAt: stored.lastUsedAt ?? stored.createdAt,
  expiresAt: stored.expiresAt,
});

/** Converts a ceiling; `null` without one. */
export const toTokenCeiling = (
  ceiling: Ceiling | undefined,
): z.output<typeof TokenCeiling> | null =>
  ceiling
    ? {
        maxAudience: ceiling.maxAudience ?? null,
        maxViews: ceiling.maxViews ?? null,
        maxAge: ceiling.maxAge ?? null,
        sharesPerDay: ceiling.sharesPerDay ?? null,
      }
    : null;

/** Converts an API token. */
export const toApiToken = (stored: StoredApiToken): z.output<typeof ApiToken> => ({
  id: stored.id,
  name: stored.name,
  permissions: stored.permissions ? [...stored.permissions] : null,
  ceiling: toTokenCeiling(stored.ceiling),
  expiresAt: stored.expiresAt ?? null,
  createdAt: stored.createdAt,
  lastUsedAt: stored.lastUsedAt ?? null,
});
