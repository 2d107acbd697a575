import * as z from 'zod';
import { assertReauthenticated } from '../../../shared/auth/reauthentication.ts';
import { assertStepUp } from '../../../shared/auth/step-up.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { ownPasswordLimit } from '../users/limits.ts';
import { beginTotp, confirmTotp, removeTotp, renewCodes } from './factors/authenticator.ts';
import { ownCodeLimits } from './factors/limits.ts';
import { reauthenticate } from './factors/reauthenticate.ts';
import {
  Code,
  currentPassword,
  EnrolledFactor,
  Factors,
  RecoveryCodes,
  toFactors,
} from './factors/schemas.ts';
import { getWithFactors, type WithFactors } from './factors/stored-factors.ts';
import { proveFactor } from './passkeys/prove-factor.ts';
import { PasskeyProof } from './passkeys/schemas.ts';

const WithPassword = z
  .object({ currentPassword })
  .meta({ id: 'ProofInput', examples: [{ currentPassword: 'correct horse' }] });

const ReauthenticateInput = z
  .object({
    code: Code.nullish(),
    passkey: PasskeyProof.nullish().meta({
      description:
        'In place of a code. The options are those of `POST /api/auth/reauthenticate/options`.',
    }),
    currentPassword: z.string().max(256).nullish(),
  })
  .meta({ id: 'ReauthenticateInput', examples: [{ code: '123456' }] });

const needsProof = {
  FORBIDDEN:
    'An API token is used; with the code `REAUTHENTICATION_REQUIRED`, you must prove again who you are, by `POST /api/auth/reauthenticate`.',
};

/** The routes of the caller's second factors. API tokens can't use them. */
export const factorRoutes = [
  route({
    endpoint: 'GET /api/auth/factors',
    access: 'session',
    isForUnenrolled: true,
    summary: 'List your second factors',
    output: Success(Factors),
    handle: async ({ actor }) => success(toFactors((await getWithFactors(actor.user.id)).factors)),
  }),
  route({
    endpoint: 'POST /api/auth/totp',
    access: 'session',
    isForUnenrolled: true,
    summary: 'Create an authenticator app’s key',
    description:
      'Returns the key for the app, and the address for a QR code, for 10 minutes. Nothing else changes until `POST /api/auth/totp/confirm`.',
    body: WithPassword,
    output: Success(
      z.object({
        secret: z.string().meta({ description: 'The key for the app, in Base32.' }),
        uri: z.string().meta({ description: 'The `otpauth:` address for a QR code.' }),
      }),
    ).meta({
      id: 'NewTotp',
      examples: [
        {
          success: true,
          data: {
            secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
            uri: 'otpauth://totp/Handbill:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Handbill',
          },
        },
      ],
    }),
    errors: needsProof,
    limits: [ownPasswordLimit],
    // Nothing of it works before a code is entered, which is audited.
    auditAction: 'none',
    handle: async ({ actor, body }) => {
      await assertReauthenticated(actor, body.currentPassword);
      return success(await beginTotp(actor));
    },
  }),
  route({
    endpoint: 'POST /api/auth/totp/confirm',
    access: 'session',
    isForUnenrolled: true,
    summary: 'Complete an authenticator app’s setup',
    description:
      'Takes a code of the app that is being set up. From then on it is asked for after the password. An app before it stops working. With your first factor, the response has ten recovery codes.',
    body: z.object({ code: Code }).meta({ id: 'ConfirmTotpInput', examples: [{ code: '123456' }] }),
    output: EnrolledFactor,
    errors: { ...needsProof, CONFLICT: 'No app is being set up, or for over 10 minutes.' },
    limits: ownCodeLimits,
    auditAction: 'factor.create',
    handle: async ({ actor, body, recorder }) => {
      // Someone else may have begun before the first factor was set up.
      assertStepUp(actor);
      const { factors, codes } = await confirmTotp(actor, body.code, recorder);
      return success({ factors: toFactors(factors), codes }, 'Authenticator app set up');
    },
  }),
  route({
    endpoint: 'DELETE /api/auth/totp',
    access: 'session',
    summary: 'Remove the authenticator app',
    description: 'If it is your last factor, the recovery codes end, too.',
    output: Success(Factors),
    errors: { ...needsProof, NOT_FOUND: 'You have no authenticator app.' },
    auditAction: 'factor.delete',
    handle: async ({ actor, recorder }) => {
      await assertReauthenticated(actor, undefined);
      return success(toFactors(await removeTotp(actor, recorder)), 'Authenticator app removed');
    },
  }),
  route({
    endpoint: 'POST /api/auth/recovery-codes',
    access: 'session',
    summary: 'Create new recovery codes',
    description:
      'Returns ten codes, each of which signs in once in place of a second factor. Earlier ones end.',
    output: RecoveryCodes,
    errors: { ...needsProof, CONFLICT: 'You have no second factor.' },
    auditAction: 'codes.create',
    handle: async ({ actor, recorder }) => {
      await assertReauthenticated(actor, undefined);
      return success(
        { codes: await renewCodes(actor, recorder) },
        'Save the codes now. They won’t be shown again.',
      );
    },
  }),
  route({
    endpoint: 'POST /api/auth/reauthenticate',
    access: 'session',
    isForUnenrolled: true,
    summary: 'Verify again who you are',
    description:
      'Takes a code or a passkey, or the password of a user without a second factor. For 15 minutes, this session can then do what `REAUTHENTICATION_REQUIRED` refuses.',
    body: ReauthenticateInput,
    output: Success(
      z.object({
        provenAt: z.iso.datetime().meta({ description: 'When this session was proven.' }),
      }),
    ).meta({
      id: 'Reauthenticated',
      examples: [{ success: true, data: { provenAt: '2026-11-21T12:00:00.000Z' } }],
    }),
    limits: [ownPasswordLimit, ...ownCodeLimits],
    auditAction: 'session.prove',
    handle: async ({ actor, body, recorder }) => {
      const prove = (found: WithFactors) => proveFactor(body, found, 'prove', recorder);
      const input = { prove, currentPassword: body.currentPassword };
      return success({ provenAt: await reauthenticate(actor, input, recorder) });
    },
  }),
];
