import { join } from 'node:path';
import { gather } from '../../support/run/gather.ts';
import type { Flows } from './flows/flow.ts';

/** Collects the exports of the files in `flows` with names that end in `Flows`. */
export const allFlows = (): Promise<Flows> => gather(join(import.meta.dirname, 'flows'), 'Flows');
