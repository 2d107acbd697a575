import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Swagger UI has a second file, for what is bundled with it. */
const isLicence = (name: string): boolean =>
  /^(swagger-ui-bundle\.js\.)?(licen[cs]e|copying|notice)([.-].*)?$/i.test(name);

/** Packages that state their licence in their README alone. */
const inReadme: Readonly<Record<string, string>> = { format: 'readme.md' };

const listLicences = (name: string, folder: string): string[] =>
  readdirSync(folder).filter((file) => isLicence(file) || file.toLowerCase() === inReadme[name]);

/** Returns the folders of the packages from `node_modules` that files are from. */
export const listFolders = (files: readonly string[]): string[] => {
  const folders = files.flatMap(
    (file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0] ?? [],
  );
  return [...new Set(folders)].toSorted();
};

/** Returns the folders of the packages from `node_modules` whose code is in a bundle, from the root of the project. */
export const listPackages = ({ outputs }: Metafile): string[] =>
  listFolders(
    Object.values(outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  );

/** What browsers also get, without a bundle: font, icons, emoji by name, and the console of the API reference. */
const beside = ['@fontsource-variable/inter', 'gemoji', 'lucide-static', 'swagger-ui-dist'].map(
  (name) => `node_modules/${name}`,
);

/**
 * Returns the licences of all packages that browsers get a part of, as JSON, by the folders of those in bundles.
 * @throws Error for a package without a licence
 */
export const buildLicences = (root: string, folders: readonly string[]): string =>
  JSON.stringify(formatLicences(root, [...new Set([...folders, ...beside])].toSorted()));

/**
 * Returns the name, version and licence of each package, as licences ask to be passed on.
 * @throws Error for a package without a licence
 */
export const formatLicences = (root: string, folders: readonly string[]): string => {
  const texts = folders.map((folder) => {
    const { name, version, license, licenses } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const files = listLicences(name, join(root, folder));
    if (files.length === 0) throw new Error(`${name} has no licence: leave it out of the bundle`);
    const licences = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    const kind = license ?? licenses?.[0]?.type;
    return `${name} ${version}${kind === undefined ? '' : ` (${kind})`}\n\n${licences.join('\n\n')}\n`;
  });
  // Some packages are there in several folders, in the same version.
  return [...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`);
};
