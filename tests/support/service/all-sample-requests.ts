import { join } from 'node:path';
import { gather } from '../run/gather.ts';
import type { TypicalCalls } from '../sample-requests/sample-request.ts';

/** Sample requests of every route: the exports of `sample-requests` with names that end in `Calls`. */
export const allTypicalCalls = (): Promise<TypicalCalls> =>
  gather(join(import.meta.dirname, '../sample-requests'), 'Calls');
