import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = join(import.meta.dirname, '../../../infra/build/artefacts.ts');

/** Builds the artifacts that tests import, also for a run of a single file. */
export const setup = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [script]);
};
