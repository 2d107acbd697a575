import * as z from 'zod';
import { Success } from '../../../../shared/http/envelope.ts';
import { label, optional } from '../../../../shared/input/fields.ts';
import { currentPassword } from '../factors/schemas.ts';
import { maxTokenLength } from './challenges.ts';

/** The longest id that authenticators give, of 1,023 bytes. https://www.w3.org/TR/webauthn-3/#credential-id */
const maxIdLength = 1_364;

const base64Url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'must be base64url');

const frame = {
  id: base64Url(maxIdLength),
  rawId: base64Url(maxIdLength).meta({ description: 'The same as `id`.' }),
  type: z.literal('public-key'),
};

const clientDataJSON = base64Url(4_096).meta({
  description: 'What the browser knows of the page.',
});

const transports = { description: 'How the authenticator can be reached.' };

const ofAuthenticator = { description: 'What the authenticator returned.' };

const exampleId = 'rhKJ8zB3TkqVxwC7pE1lNQ';
const exampleClientData = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';
const exampleToken = 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2UiOiJhZGQifQ.c2lnbmF0dXJl';
const exampleChallenge = 'u4cJ6mmJbV2tqSj0hQfHq0bH5q0r2kqI0b6lq0n9f2E';

/** What the browser returns of a new passkey, as `PublicKeyCredential.toJSON()` has it. Other fields are ignored. */
export const NewPasskeyResponse = z
  .object({
    ...frame,
    response: z
      .object({
        clientDataJSON,
        attestationObject: base64Url(32_768).meta({ description: 'The new key.' }),
        transports: z.array(z.string().max(32)).max(10).optional().meta(transports),
      })
      .meta(ofAuthenticator),
  })
  .meta({ id: 'NewPasskeyResponse' });

export type NewPasskeyResponse = z.output<typeof NewPasskeyResponse>;

/** What the browser returns of a use of a passkey, as `PublicKeyCredential.toJSON()` has it. Other fields are ignored. */
export const PasskeyResponse = z
  .object({
    ...frame,
    response: z
      .object({
        clientDataJSON,
        authenticatorData: base64Url(4_096).meta({ description: 'What is signed.' }),
        signature: base64Url(2_048).meta({ description: 'The signature.' }),
        userHandle: z.string().max(128).nullish().meta({ description: 'The user.' }),
      })
      .meta(ofAuthenticator),
  })
  .meta({ id: 'PasskeyResponse' });

export type PasskeyResponse = z.output<typeof PasskeyResponse>;

const ofBrowser = { description: 'What the browser returned, by `toJSON()`.' };

const ChallengeToken = z.string().max(maxTokenLength).meta({
  description: 'That of the options. It can be used once, for 5 minutes.',
});

/** A challenge and what a passkey has made of it. */
export const PasskeyProof = z
  .object({ challengeToken: ChallengeToken, response: PasskeyResponse.meta(ofBrowser) })
  .meta({
    id: 'PasskeyProof',
    examples: [
      {
        challengeToken: exampleToken,
        response: {
          id: exampleId,
          rawId: exampleId,
          type: 'public-key',
          response: {
            clientDataJSON: exampleClientData,
            authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAA',
            signature: 'MEUCIQDx',
            userHandle: 'AAAAAAAAAAE',
          },
        },
      },
    ],
  });

export type PasskeyProof = z.output<typeof PasskeyProof>;

const Name = label(64);

/** The body of `POST /api/auth/passkeys/options`. */
export const NewPasskeyOptionsInput = z
  .object({ currentPassword })
  .meta({ id: 'NewPasskeyOptionsInput', examples: [{ currentPassword: 'correct horse' }] });

/** The body of `POST /api/auth/passkeys`. */
export const CreatePasskeyInput = z
  .object({
    challengeToken: ChallengeToken,
    response: NewPasskeyResponse.meta(ofBrowser),
    name: optional(Name).meta({ description: 'By default, that of the device.' }),
  })
  .meta({
    id: 'CreatePasskeyInput',
    examples: [
      {
        challengeToken: exampleToken,
        response: {
          id: exampleId,
          rawId: exampleId,
          type: 'public-key',
          response: {
            clientDataJSON: exampleClientData,
            attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
            transports: ['internal', 'hybrid'],
          },
        },
        name: 'Laptop',
      },
    ],
  });

/** The body of `PUT /api/auth/passkeys/{id}`. */
export const RenamePasskeyInput = z
  .object({ name: Name })
  .meta({ id: 'RenamePasskeyInput', examples: [{ name: 'Laptop' }] });

/** The id of a passkey in a path. */
export const PasskeyId = z.string().regex(/^[\w-]{1,64}$/);

/** The body of `POST /api/auth/login/passkey/options`. */
export const SignInOptionsInput = z
  .object({
    mfaToken: optional(z.string().max(2_048)).meta({
      description:
        'That of `POST /api/auth/login`, for a passkey as second factor. Without it, a passkey signs in alone.',
    }),
  })
  .meta({ id: 'PasskeyOptionsInput', examples: [{}] });

const says = (description: string) => ({ description });

const NewChallengeToken = z.string().meta(says('For the request with the response.'));

const Challenge = z.string().meta(says('What the passkey signs.'));

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional().meta(transports),
});

const exampleDescriptor = {
  id: exampleId,
  type: 'public-key' as const,
  transports: ['internal', 'hybrid'],
};

/** What `navigator.credentials.create()` is called with, after `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const NewPasskeyOptions = Success(
  z.object({
    challengeToken: NewChallengeToken,
    options: z
      .object({
        challenge: Challenge,
        rp: z.object({ id: z.string(), name: z.string() }).meta(says('The service.')),
        user: z.object({
          id: z.string(),
          name: z.string(),
          displayName: z.string().meta(says('The name.')),
        }),
        pubKeyCredParams: z
          .array(
            z.object({
              type: z.literal('public-key'),
              alg: z.int().meta(says('The COSE algorithm.')),
            }),
          )
          .meta(says('The algorithms that it can have.')),
        timeout: z.int(),
        excludeCredentials: z.array(Descriptor).meta(says('Your passkeys.')),
        authenticatorSelection: z
          .object({
            residentKey: z.literal('required').meta(says('An authenticator offers it by itself.')),
            requireResidentKey: z.boolean().meta(says('The same for older browsers.')),
            userVerification: z.literal('preferred').meta(says('Whether to check who makes it.')),
          })
          .meta(says('What an authenticator must be able to.')),
        attestation: z.literal('none').meta(says('What it must prove of its make.')),
      })
      .meta(says('What the browser needs.')),
  }),
).meta({
  id: 'NewPasskeyOptions',
  examples: [
    {
      success: true,
      data: {
        challengeToken: exampleToken,
        options: {
          challenge: exampleChallenge,
          rp: { id: 'handbill.example.com', name: 'Handbill' },
          user: { id: 'AADeHOYNIAA', name: 'ann@example.com', displayName: 'Ann Example' },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          timeout: 300_000,
          excludeCredentials: [exampleDescriptor],
          authenticatorSelection: {
            residentKey: 'required',
            requireResidentKey: true,
            userVerification: 'preferred',
          },
          attestation: 'none',
        },
      },
    },
  ],
});

/** What `navigator.credentials.get()` is called with, after `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyOptions = Success(
  z.object({
    challengeToken: NewChallengeToken,
    options: z
      .object({
        challenge: Challenge,
        rpId: z.string().meta(says('The host name of the service.')),
        timeout: z.int(),
        userVerification: z
          .enum(['required', 'preferred'])
          .meta(says('Whether to check who uses it.')),
        allowCredentials: z.array(Descriptor).meta(says('The passkeys that will do; empty: any.')),
      })
      .meta(says('What the browser needs.')),
  }),
).meta({
  id: 'PasskeyOptions',
  examples: [
    {
      success: true,
      data: {
        challengeToken: exampleToken,
        options: {
          challenge: exampleChallenge,
          rpId: 'handbill.example.com',
          timeout: 300_000,
          userVerification: 'required',
          allowCredentials: [],
        },
      },
    },
  ],
});
