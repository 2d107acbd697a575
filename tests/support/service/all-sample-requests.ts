import { join } from 'node:path';
import type { Route } from '../../../shared/http/route.ts';
import { gather } from '../run/gather.ts';
import type { TypicalCalls } from '../sample-requests/sample-request.ts';

/** Sample requests of every route: the exports of `sample-requests` with names that end in `Calls`. */
export const allTypicalCalls = (): Promise<TypicalCalls> =>
  gather(join(import.meta.dirname, '../sample-requests'), 'Calls');

/** Returns the status that a sample of a route is answered with: a form leads on to a page. */
export const getSampleStatus = (name: string, { status, redirects }: Route): number =>
  redirects && name.startsWith('POST ') ? 303 : status;
