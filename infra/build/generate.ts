import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtAssets } from './browser.ts';
import { endpointsJson } from './endpoints.ts';
import { openApi } from './openapi.ts';
import { withRoutes } from './readme-routes.ts';

const root = join(import.meta.dirname, '../..');

/** Every file of the repository that is made from the code, wholly or in part, and its content as it should be. */
export const generated = async (): Promise<Record<string, string>> => {
  const assets = await builtAssets();
  return {
    'README.md': withRoutes(await readFile(join(root, 'README.md'), 'utf8')),
    'functions/web/assets/built/manifest.json': assets.manifest,
    'functions/web/assets/built/files.json': assets.files,
    'functions/web/fallback/built/endpoints.json': endpointsJson(),
    'functions/web/docs/built/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
  };
};

if (import.meta.main) {
  for (const [file, content] of Object.entries(await generated())) {
    await writeFile(join(root, file), content);
  }
}
