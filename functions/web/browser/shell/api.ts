import { createClient } from '../client/client.ts';
import { orReload } from './reload.ts';

/** The client of all pages: once the session has ended, it lets the user sign in over the page, and then goes on. */
export const api = createClient({
  onSignedOut: async () => (await orReload(import('./dialogs/sign-in-dialog.tsx'))).askToSignIn(),
});
