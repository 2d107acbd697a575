import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildArtefacts } from './artefacts.ts';

const root = join(import.meta.dirname, '../..');
const types = join(root, 'infra/cli/built/types');
const apiTypes = 'functions/web/browser/client/built/api.d.ts';

/** Completes what `npm pack` packs: the bundles, the types of the client, and the licence. */
const buildPackage = async (): Promise<void> => {
  await buildArtefacts();
  await rm(types, { recursive: true, force: true });
  await promisify(execFile)('tsc', ['-p', join(root, 'infra/cli/tsconfig.types.json')]);
  // The compiler leaves out declarations that nobody wrote.
  await mkdir(dirname(join(types, apiTypes)), { recursive: true });
  await copyFile(join(root, apiTypes), join(types, apiTypes));
  await copyFile(join(root, 'LICENSE'), join(root, 'infra/cli/LICENSE'));
};

await buildPackage();
