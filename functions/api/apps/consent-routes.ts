import type * as z from 'zod';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { canPublish } from '../../../shared/permissions/scopes.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { ownPasswordLimit } from '../users/limits.ts';
import {
  type Authorization,
  checkAuthorization,
  getProposedCeiling,
  toAnswer,
} from './authorization.ts';
import { allow } from './consent.ts';
import { authorizationLimits, consentLimits } from './limits.ts';
import { AppRequest, AuthorizationQuery, ConsentInput, ConsentResult } from './schemas.ts';

const toAppRequest = ({
  client,
  redirect,
  permissions,
  known,
}: Authorization): z.output<typeof AppRequest> => ({
  outcome: 'ask',
  client: { name: client.name, host: client.host },
  redirectHost: redirect.host,
  isLoopback: redirect.isLoopback,
  isKnown: known !== undefined,
  permissions: [...permissions],
  ceiling: canPublish(permissions) ? getProposedCeiling() : null,
  limits: { maxAudience: getSetting('MAX_AUDIENCE') },
});

/** The routes of the page on which a person allows an app. API tokens can't use them. */
export const consentRoutes = [
  route({
    endpoint: 'GET /api/apps/request',
    access: 'session',
    summary: 'Check an authorization request',
    description:
      'Takes the query of `/authorize` and returns what to ask, or where to send the browser if the request is invalid. Changes nothing. An unknown app, or an address that isn’t its own, is an error, because nothing may be sent there.',
    query: AuthorizationQuery,
    output: Success(AppRequest),
    limits: authorizationLimits,
    handle: async ({ actor, query }) => {
      const checked = await checkAuthorization(
        actor,
        {
          clientId: query.client_id,
          redirectUri: query.redirect_uri,
          responseType: query.response_type,
          codeChallenge: query.code_challenge,
          codeChallengeMethod: query.code_challenge_method,
          scope: query.scope,
          state: query.state,
          resource: query.resource,
        },
        { clientId: 'client_id', redirectUri: 'redirect_uri' },
      );
      return success(
        'location' in checked
          ? { outcome: 'return' as const, location: checked.location }
          : toAppRequest(checked),
      );
    },
  }),
  route({
    endpoint: 'POST /api/apps/consent',
    access: 'session',
    summary: 'Respond to an authorization request',
    description:
      'Returns where to send the browser: with a code that works once within 60 seconds, or with `access_denied`. The app never gets more than it asks for and than you may do, and publishes within the ceiling.',
    body: ConsentInput,
    output: ConsentResult,
    errors: {
      FORBIDDEN:
        'An API token is used; with the code `REAUTHENTICATION_REQUIRED`, the app gets a permission for which you need `currentPassword`, because you signed in over 15 minutes ago.',
      CONFLICT: 'You already have 50 connected apps, or they are being changed concurrently.',
      UNPROCESSABLE: 'The audience is wider than the service allows.',
    },
    limits: [...consentLimits, ownPasswordLimit],
    auditAction: 'app.allow',
    handle: async ({ actor, body, recorder }) => {
      const { clientId, redirectUri, responseType, codeChallenge, codeChallengeMethod } = body;
      const state = body.state ?? undefined;
      const checked = await checkAuthorization(
        actor,
        {
          clientId,
          redirectUri,
          responseType,
          codeChallenge,
          codeChallengeMethod,
          scope: body.scope ?? undefined,
          state,
          resource: body.resource ?? undefined,
        },
        { clientId: 'clientId', redirectUri: 'redirectUri' },
      );
      if ('location' in checked) return success({ location: checked.location });
      if (body.decision === 'deny') {
        const answer = { error: 'access_denied', error_description: 'The user denied it.' };
        return success({ location: toAnswer({ redirectUri, state }, answer) });
      }
      const decision = {
        permissions: body.permissions ?? undefined,
        ceiling: body.ceiling ?? undefined,
        currentPassword: body.currentPassword ?? undefined,
      };
      const code = await allow(actor, checked, decision, recorder);
      return success({ location: toAnswer({ redirectUri, state }, { code }) });
    },
  }),
];
