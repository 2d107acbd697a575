import * as z from 'zod';
import { Factors } from '../factors/schemas.ts';

const label = z.string().meta({ description: 'Its name for people.' });
const email = z.string().nullable().meta({
  description:
    'The address that the provider last said, which needn’t be yours here. `null`: none.',
});
const lastUsedAt = z.iso
  .datetime()
  .nullable()
  .meta({ description: 'When it last signed in. `null`: never.' });

const exampleProvider = { provider: 'google', label: 'Google' };
const exampleTimes = {
  email: 'ann@example.com',
  connectedAt: '2026-10-12T12:00:00.000Z',
  lastUsedAt: '2026-11-21T12:00:00.000Z',
};

/** A provider of the settings, and the caller's account there, in API responses. */
const Connection = z
  .object({
    provider: z.string().meta({ description: 'Its name in addresses, such as `google`.' }),
    label,
    connected: z.boolean().meta({ description: 'Whether an account there signs in to yours.' }),
    email,
    connectedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was connected. `null`: it isn’t.' }),
    lastUsedAt,
  })
  .meta({ id: 'Connection', examples: [{ ...exampleProvider, connected: true, ...exampleTimes }] });

/** The caller's accounts at providers in API responses. */
export const Connections = z
  .object({
    identities: z.array(Connection).meta({ description: 'All providers that one can sign in at.' }),
    canDisconnect: z.boolean().meta({
      description: 'Whether something else signs in, so that an account can be disconnected.',
    }),
  })
  .meta({
    id: 'Connections',
    examples: [
      {
        identities: [{ ...exampleProvider, connected: true, ...exampleTimes }],
        canDisconnect: true,
      },
    ],
  });

/** Where connecting an account begins. */
export const BeginConnecting = z
  .object({
    location: z.string().meta({
      description: 'The address to open in the browser, within 10 minutes and with this session.',
    }),
  })
  .meta({
    id: 'BeginConnecting',
    examples: [{ location: '/login/google?connect=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' }],
  });

/** A user's second factors and connected accounts in API responses. */
export const UserFactors = Factors.extend({
  identities: z
    .array(
      z.object({
        provider: z.string().nullable().meta({
          description: 'Its name in addresses. `null`: it isn’t in the settings any more.',
        }),
        label,
        email,
        connectedAt: z.iso.datetime().meta({ description: 'When it was connected.' }),
        lastUsedAt,
      }),
    )
    .meta({ description: 'The connected accounts at providers, oldest first.' }),
}).meta({
  id: 'UserFactors',
  examples: [
    {
      totp: { createdAt: '2026-10-12T12:00:00.000Z' },
      passkeys: [],
      recoveryCodes: { left: 8, createdAt: '2026-10-12T12:00:00.000Z' },
      identities: [{ ...exampleProvider, ...exampleTimes }],
    },
  ],
});
