import * as z from 'zod';
import { Success, success } from '../../../shared/http/envelope.ts';
import { integer, optional } from '../../../shared/input/fields.ts';
import { maxExpirySeconds, maxSharesPerDay } from '../../../shared/input/share-limits.ts';
import { audiences } from '../../../shared/permissions/audiences.ts';
import { TokenCeiling, toTokenCeiling } from '../auth/schemas.ts';
import type { ListedApp } from './apps.ts';

const exampleCeiling = { maxAudience: 'private', maxAge: 604_800, sharesPerDay: 20 };

const exampleApp = {
  id: 244_212_480_000_000,
  name: 'Claude',
  host: 'claude.ai',
  permissions: ['shares:create', 'shares:update', 'shares:view'],
  ceiling: { ...exampleCeiling, maxViews: null },
  createdAt: '2026-11-21T12:00:00.000Z',
  lastUsedAt: '2026-11-21T12:10:00.000Z',
  sharesToday: 3,
};

/** A connected app in API responses. */
export const App = z
  .object({
    id: z.int().positive(),
    name: z.string().meta({ description: 'What the app calls itself.' }),
    host: z.string().meta({
      description:
        'Where people were sent back to after they allowed it; `localhost` is their own device.',
    }),
    permissions: z
      .array(z.string())
      .meta({ description: 'The permissions and scopes that it has.' }),
    ceiling: TokenCeiling.nullable().meta({
      description: 'What it may publish at most. `null`: it may not publish.',
    }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was last used, to the hour.' }),
    sharesToday: z.int().nonnegative().meta({ description: 'Shares that it created today (UTC).' }),
  })
  .meta({ id: 'App', examples: [exampleApp] });

/** The response to the end of an app. */
export const RevokedApp = Success(z.object({ id: z.int().positive() })).meta({
  id: 'RevokedApp',
  examples: [success({ id: exampleApp.id }, 'App revoked')],
});

/** Converts an app. */
export const toApp = ({ app, sharesToday }: ListedApp): z.output<typeof App> => ({
  id: app.id,
  name: app.name,
  host: app.host,
  permissions: [...app.permissions],
  ceiling: toTokenCeiling(app.ceiling),
  createdAt: app.createdAt,
  lastUsedAt: app.lastUsedAt ?? null,
  sharesToday,
});

const Audience = z.enum(audiences, `must be one of ${audiences.join(', ')}`);

const location = z.string().meta({ description: 'Where to send the browser.' });

/** What the page asks a person, or where it sends the browser at once. */
export const AppRequest = z
  .union([
    z.object({
      outcome: z.literal('ask').meta({ description: 'The person decides.' }),
      client: z
        .object({
          name: z
            .string()
            .meta({ description: 'What the app calls itself: nobody has checked it.' }),
          host: z.string().nullable().meta({
            description: 'The host that describes the app. `null`: it has registered itself.',
          }),
        })
        .meta({ description: 'Who asks.' }),
      redirectHost: z.string().meta({ description: 'The host that the browser is sent back to.' }),
      isLoopback: z.boolean().meta({ description: 'Whether that is the own device.' }),
      isKnown: z.boolean().meta({
        description:
          'Whether it was allowed before and asks for nothing new: allow it without `permissions` and without asking.',
      }),
      permissions: z
        .array(z.string())
        .meta({ description: 'What it asks for, as far as you may do it.' }),
      ceiling: z
        .object({
          maxAudience: Audience.meta({ description: 'Who can open what it publishes.' }),
          maxAge: z.int(),
          sharesPerDay: z.int(),
        })
        .nullable()
        .meta({
          description: 'What it may publish unless you say otherwise. `null`: it may not publish.',
        }),
      limits: z
        .object({
          maxAudience: Audience.meta({
            description: 'The widest audience that the service allows.',
          }),
        })
        .meta({ description: 'The most that the person can allow.' }),
    }),
    z.object({
      outcome: z
        .literal('return')
        .meta({ description: 'The request is wrong: `location` tells the app what.' }),
      location,
    }),
  ])
  .meta({
    id: 'AppRequest',
    examples: [
      {
        outcome: 'ask',
        client: { name: 'Claude', host: 'claude.ai' },
        redirectHost: 'claude.ai',
        isLoopback: false,
        isKnown: false,
        permissions: exampleApp.permissions,
        ceiling: exampleCeiling,
        limits: { maxAudience: 'link' },
      },
    ],
  });

const text = (max: number) => z.string().max(max).optional();

/** The query of `/authorize`, as clients send it. Most errors in it are for the client. */
export const AuthorizationQuery = z.object({
  client_id: text(4_096),
  redirect_uri: text(2_048),
  response_type: text(64),
  code_challenge: text(256),
  code_challenge_method: text(64),
  scope: text(2_048).meta({
    description:
      'Permissions and scopes, separated by spaces: by default `shares:create shares:update shares:view`.',
  }),
  state: text(4_096),
  resource: text(2_048),
});

/** The body of `POST /api/apps/consent`. */
export const ConsentInput = z
  .object({
    clientId: z.string().max(4_096),
    redirectUri: z.string().max(2_048),
    responseType: z.string().max(64),
    codeChallenge: z.string().max(256),
    codeChallengeMethod: z.string().max(64),
    scope: text(2_048).nullable(),
    state: text(4_096).nullable(),
    resource: text(2_048).nullable(),
    decision: z.enum(['allow', 'deny'], 'must be allow or deny'),
    permissions: z.array(z.string().max(64)).max(100).nullable().optional().meta({
      description:
        'What the app may do, of what it asks for. Leave it out only if the request `isKnown`: the app then keeps what it has.',
    }),
    ceiling: z
      .object({
        maxAudience: Audience,
        maxAge: integer(maxExpirySeconds),
        sharesPerDay: integer(maxSharesPerDay),
      })
      .nullable()
      .optional()
      .meta({
        description: 'What the app may publish. Without it, as `GET /api/apps/request` proposes.',
      }),
    currentPassword: optional(z.string().max(256), (given) => given === '').meta({
      description:
        'Your password. Required if you signed in over 15 minutes ago and allow a `:manage` permission or one that changes users.',
    }),
  })
  .meta({
    id: 'ConsentInput',
    examples: [
      {
        clientId: 'https://claude.ai/oauth/client.json',
        redirectUri: 'https://claude.ai/api/callback',
        responseType: 'code',
        codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        codeChallengeMethod: 'S256',
        state: 'af0ifjsldkj',
        decision: 'allow',
        permissions: exampleApp.permissions,
        ceiling: exampleCeiling,
      },
    ],
  });

/** Where the page sends the browser. */
export const ConsentResult = Success(z.object({ location })).meta({
  id: 'ConsentResult',
  examples: [
    success({
      location: 'https://claude.ai/api/callback?code=hbc_1_x&iss=https%3A%2F%2Fhandbill.example',
    }),
  ],
});
