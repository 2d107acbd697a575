import { join } from 'node:path';
import { gather } from './gather.ts';
import type { TypicalCalls } from './typical-calls/typical.ts';

/** The typical calls of every route: whatever the files of `typical-calls` have under names that end in `Calls`. */
export const allTypicalCalls = (): Promise<TypicalCalls> =>
  gather(join(import.meta.dirname, 'typical-calls'), 'Calls');
