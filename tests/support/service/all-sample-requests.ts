import { join } from 'node:path';
import { gather } from '../run/gather.ts';
import type { TypicalCalls } from '../sample-requests/sample-request.ts';

/** The typical calls of every route: whatever the files of `typical-calls` have under names that end in `Calls`. */
export const allTypicalCalls = (): Promise<TypicalCalls> =>
  gather(join(import.meta.dirname, '../sample-requests'), 'Calls');
