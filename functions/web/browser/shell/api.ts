import { createClient } from '../client/client.ts';
import { orReload } from './reload.ts';

/**
 * The client of all pages: once the session has ended, it lets the user sign in over the page, and where the service asks again
 * who the user is, it lets them prove it there. Then it goes on.
 */
export const api = createClient({
  onSignedOut: async () => (await orReload(import('./dialogs/sign-in-dialog.tsx'))).askToSignIn(),
  onUnproven: async (error) =>
    (await orReload(import('../factors/step-up-dialog.tsx'))).askToProve(error),
});
