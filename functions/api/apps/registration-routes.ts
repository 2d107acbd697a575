import * as z from 'zod';
import { perNetwork } from '../../../shared/http/network-limits.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { type ErrorBody, route } from '../../../shared/http/route.ts';
import { registerClient } from './clients/registration.ts';
import { oauthErrorBody } from './oauth-error.ts';

/** A registration costs a signature and stores nothing. An assistant in the cloud registers for many people from one network. */
const registrationLimits = perNetwork({
  name: 'oauth-register',
  tokens: 60,
  perMs: 60 * 60_000,
  site: { tokens: 300 },
  isShared: true,
});

const example = {
  client_name: 'Cursor',
  redirect_uris: ['http://localhost/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

// What is wrong with a field is told in the words of OAuth, so each is taken as it is.
const Input = z
  .object({
    redirect_uris: z.unknown().optional().meta({
      description:
        'Required: 1 to 5 addresses of at most 500 characters, 1,500 in all: `https`, `http` of the own device (any port), or the scheme of an installed app.',
    }),
    client_name: z.unknown().optional().meta({ description: 'At most 80 characters are shown.' }),
    token_endpoint_auth_method: z.unknown().optional().meta({ description: '`none`.' }),
    grant_types: z.unknown().optional().meta({ description: 'With `authorization_code`.' }),
    response_types: z.unknown().optional().meta({ description: 'With `code`.' }),
  })
  .meta({ id: 'ClientRegistrationInput', examples: [example] });

const list = (description: string) => z.array(z.string()).meta({ description });

const Output = z
  .object({
    client_id: z.string().meta({ description: 'Valid for a year.' }),
    client_id_issued_at: z.int().meta({ description: 'In seconds since 1970.' }),
    client_name: z.string().meta({ description: 'As people see it.' }),
    redirect_uris: list('All that codes may go to.'),
    grant_types: list('What it may use.'),
    response_types: list('What it may ask for.'),
    token_endpoint_auth_method: z.literal('none').meta({ description: 'It has no secret.' }),
  })
  .meta({
    id: 'ClientRegistration',
    examples: [
      { client_id: 'dyn.eyJhbGciOiJIUzI1NiJ9', client_id_issued_at: 1_795_262_400, ...example },
    ],
  });

/** The body of errors in the words of RFC 7591; those about addresses say so themselves. */
const errorBody: ErrorBody = {
  name: oauthErrorBody.name,
  schema: oauthErrorBody.schema,
  create: (error) => ({
    ...oauthErrorBody.create(error),
    ...(error.code === 'VALIDATION_ERROR' && { error: 'invalid_client_metadata' }),
  }),
};

export const registrationRoutes = [
  route({
    endpoint: 'POST /oauth/register',
    access: 'public',
    summary: 'Create a client',
    description:
      'For clients that are not described by a document of their own (RFC 7591). Public clients only; nothing is stored, and no registration can be changed. 60 registrations per hour and network.',
    status: 201,
    body: Input,
    output: Output,
    errorBody,
    limits: registrationLimits,
    auditAction: 'none',
    handle: async ({ body }) =>
      new Reply(await registerClient(body), { headers: { 'cache-control': 'no-store' } }),
  }),
];
