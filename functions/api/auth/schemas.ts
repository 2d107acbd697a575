import * as z from 'zod';
import type { StoredApiToken, StoredSession } from '../../../shared/auth/actor.ts';
import { Success } from '../../../shared/http/envelope.ts';

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

/** An API token in API responses, without the secret part. */
export const ApiToken = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    permissions: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The permissions of the token. `null`: all of its owner.' }),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was last used, to the hour.' }),
  })
  .meta({
    id: 'ApiToken',
    examples: [
      {
        id: 244_212_480_000_000,
        name: 'Nightly script',
        permissions: null,
        expiresAt: null,
        createdAt: '2026-11-21T12:00:00.000Z',
        lastUsedAt: null,
      },
    ],
  });

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

/** Converts an API token. */
export const toApiToken = (stored: StoredApiToken): z.output<typeof ApiToken> => ({
  id: stored.id,
  name: stored.name,
  permissions: stored.permissions ? [...stored.permissions] : null,
  expiresAt: stored.expiresAt ?? null,
  createdAt: stored.createdAt,
  lastUsedAt: stored.lastUsedAt ?? null,
});
