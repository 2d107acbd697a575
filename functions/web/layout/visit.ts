import * as z from 'zod';
import { readSessionCookie } from '../../../shared/auth/session-cookie.ts';

/** The request headers that say how a browser came to a page. */
export const visitHeaders = {
  'sec-fetch-site': z.string().optional().meta({
    description: 'Sent by browsers. `cross-site` requests carry no session cookie.',
  }),
};

/**
 * Whether a browser follows a link of another site, where it sends no session: only a script of the page can tell whose
 * visit it is (decisions.md#pages).
 */
export const isArrival = (
  { 'sec-fetch-site': site }: { readonly 'sec-fetch-site'?: string | undefined },
  cookies: readonly string[],
): boolean => site === 'cross-site' && readSessionCookie(cookies) === undefined;
