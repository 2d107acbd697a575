import {
  allow,
  appsOf,
  askFor,
  bodyOf,
  connect,
  decide,
  exchange,
  newClient,
  queryOf,
  refreshApp,
  restoreApp,
  revokeApp,
} from '../apps/apps.ts';
import { call } from '../service/call.ts';
import { form } from '../service/form.ts';
import { newUser, type TypicalCalls } from './sample-request.ts';

/** Creates a user with a connected app. */
const connected = async () => {
  const user = await newUser();
  const tokens = await connect(user);
  const [{ id }] = await appsOf(user);
  return { user, tokens, id };
};

export const appCalls: TypicalCalls = {
  'GET /api/apps': async () => {
    const { user } = await connected();
    return () => call('GET /api/apps', { token: user.token });
  },
  'DELETE /api/apps/{id}': async () => {
    const { user, id } = await connected();
    return () => revokeApp(user, id);
  },
  'POST /api/apps/{id}/restore': async () => {
    const { user, id } = await connected();
    await revokeApp(user, id);
    return () => restoreApp(user, id);
  },
  'GET /api/apps/request': async () => {
    const [user, client] = [await newUser(), await newClient()];
    return () => askFor(user, queryOf(client));
  },
  'POST /api/apps/consent': async () => {
    const [user, client] = [await newUser(), await newClient()];
    return () => decide(user, bodyOf(client));
  },
  'POST /oauth/token': async () => {
    const allowed = await allow(await newUser(), await newClient());
    return () => exchange(allowed);
  },
  'POST /oauth/token (refresh)': async () => {
    const { tokens } = await connected();
    return () => refreshApp(tokens.client, tokens.refresh);
  },
  'POST /oauth/revoke': async () => {
    const { tokens } = await connected();
    return () => call('POST /oauth/revoke', form({ token: tokens.refresh }));
  },
};
