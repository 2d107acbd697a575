import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const isLicence = (name: string): boolean => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name);

/** Returns the folders of the packages from `node_modules` whose code is in a bundle, from the root of the project. */
export const listPackages = ({ outputs }: Metafile): string[] => {
  const used = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0] ?? []);
  return [...new Set(used)].toSorted();
};

/**
 * Returns the name, version and licence of each package, as licences ask to be passed on.
 * @throws Error for a package without a licence
 */
export const formatLicences = (root: string, folders: readonly string[]): string => {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const files = readdirSync(join(root, folder)).filter(isLicence);
    if (files.length === 0) throw new Error(`${name} has no licence: leave it out of the bundle`);
    const licences = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${licences.join('\n\n')}\n`;
  });
  // Some packages are there in several folders, in the same version.
  return [...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`);
};
