import * as z from 'zod';
import { RecordId } from '../../../shared/db/ids.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import * as apps from './apps.ts';
import { App, RevokedApp, toApp } from './schemas.ts';

const ofApp = z.object({ id: RecordId });

/** The routes of the caller's connected apps. API tokens can't use them. */
export const appRoutes = [
  route({
    endpoint: 'GET /api/apps',
    access: 'session',
    summary: 'List your connected apps',
    description:
      'Returns the apps that may use tools in your name, the latest allowed first, at most 50.',
    output: Success(z.array(App)),
    handle: async ({ actor }) => success((await apps.list(actor.user)).map(toApp)),
  }),
  route({
    endpoint: 'DELETE /api/apps/{id}',
    access: 'session',
    summary: 'Revoke a connected app',
    description: 'Ends all access of the app immediately. It can be restored for a minute.',
    params: ofApp,
    output: RevokedApp,
    errors: { CONFLICT: 'The app is being changed concurrently.' },
    auditAction: 'app.revoke',
    handle: async ({ actor, params: { id }, recorder }) => {
      await apps.revoke(actor.user, id, recorder);
      return success({ id }, 'App revoked');
    },
  }),
  route({
    endpoint: 'POST /api/apps/{id}/restore',
    access: 'session',
    summary: 'Restore a revoked app',
    description:
      'Takes back a revocation of the last 60 seconds: the tokens of the app work again.',
    params: ofApp,
    output: Success(App),
    errors: { CONFLICT: 'You already have 50 connected apps.' },
    auditAction: 'app.restore',
    handle: async ({ actor, params: { id }, recorder }) =>
      success(toApp(await apps.restore(actor.user, id, recorder)), 'App restored'),
  }),
];
