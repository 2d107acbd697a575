import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');

const inputFolders = [
  'functions',
  'shared',
  'infra/build',
  'infra/cli/client',
  'infra/cli/source',
] as const;
const inputFiles = [
  'package.json',
  'package-lock.json',
  'infra/api-types/types.ts',
  'infra/cli/package.json',
] as const;

const assetFiles = {
  manifest: 'functions/web/assets/built/manifest.json',
  files: 'functions/web/assets/built/files.json',
  licences: 'functions/web/assets/built/licences.json',
  inlineStyles: 'functions/web/layout/built/inline-styles.json',
  savedStyle: 'functions/web/share-page/built/saved-style.json',
  frameScripts: 'functions/web/snippet/built/frame-scripts.json',
  diagramManifest: 'functions/web/snippet/built/diagram-manifest.json',
  diagramScripts: 'functions/web/snippet/built/diagram-scripts.json',
} as const;
const apiFiles = {
  openApi: 'functions/web/docs/built/openapi.json',
  reference: 'functions/web/docs/built/reference.json',
  endpoints: 'functions/web/fallback/built/endpoints.json',
  types: 'functions/web/browser/client/built/api.d.ts',
  tools: 'functions/api/mcp/tools/built/tools.json',
} as const;

const listFiles = {
  passwords: 'shared/auth/built/known-passwords.json',
  zones: 'shared/input/built/windows-zones.json',
  emoji: 'shared/markdown/emoji/built/emoji.json',
} as const;

const cliFiles = {
  command: 'infra/cli/built/handbill.cjs',
  unpack: 'infra/cli/built/unpack.cjs',
  assistants: 'infra/cli/built/assistants.cjs',
  archives: 'infra/cli/built/archives.cjs',
  client: 'infra/cli/built/client.js',
  licences: 'infra/cli/built/licences.txt',
} as const;

/** Paths of the generated files, which git ignores. */
export const artefactPaths = [
  assetFiles.manifest,
  assetFiles.files,
  assetFiles.licences,
  assetFiles.inlineStyles,
  assetFiles.savedStyle,
  assetFiles.frameScripts,
  assetFiles.diagramManifest,
  assetFiles.diagramScripts,
  apiFiles.openApi,
  apiFiles.reference,
  apiFiles.endpoints,
  apiFiles.types,
  apiFiles.tools,
  listFiles.passwords,
  listFiles.zones,
  listFiles.emoji,
  cliFiles.command,
  cliFiles.unpack,
  cliFiles.assistants,
  cliFiles.archives,
  cliFiles.client,
  cliFiles.licences,
] as const;

/** Hashes of the inputs and of the generated files. */
const checksumFile = 'infra/build/built/checksum';

const listSources = (): string[] =>
  inputFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() &&
          !entry.name.endsWith('.md') &&
          !entry.parentPath.split(sep).includes('built'),
      )
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  );

const addFiles = (hash: ReturnType<typeof createHash>, folder: string, paths: readonly string[]) =>
  paths.reduce((sum, path) => {
    const bytes = readFileSync(join(folder, path));
    return sum.update(`${path.replaceAll(sep, '/')}\0${bytes.length}\0`).update(bytes);
  }, hash);

const hashInputs = (): string => {
  const hash = createHash('sha256').update(process.version);
  return addFiles(hash, root, [...listSources().sort(), ...inputFiles]).digest('hex');
};

const createChecksum = (inputs: string, target: string): string =>
  `${inputs} ${addFiles(createHash('sha256'), target, artefactPaths).digest('hex')}\n`;

// The outputs count too: concurrent builds from different sources may mix theirs.
const isUpToDate = (inputs: string, target: string): boolean => {
  try {
    const checksum = readFileSync(join(target, checksumFile), 'utf8');
    return checksum === createChecksum(inputs, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
};

/** Writes a file under another name and renames it, so that no process reads a partial file. */
const write = (target: string, path: string, content: string): void => {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
};

/** Writes the types of the API, unless those there are of this document. */
const writeTypes = async (target: string, document: string): Promise<void> => {
  const { areTypesOf, createApiTypes } = await import('../api-types/types.ts');
  const file = join(target, apiFiles.types);
  if (existsSync(file) && areTypesOf(document, readFileSync(file, 'utf8'))) return;
  write(target, apiFiles.types, await createApiTypes(document));
};

/**
 * Writes the artefacts unless they are up to date, and returns whether it did. Loads esbuild and the routes only if
 * needed.
 * The target is the repository, or another folder to compare with.
 */
export const buildArtefacts = async (target = root): Promise<boolean> => {
  const inputs = hashInputs();
  if (isUpToDate(inputs, target)) return false;
  const { buildEmoji, buildKnownPasswords, buildWindowsZones } = await import('./word-lists.ts');
  write(target, listFiles.passwords, buildKnownPasswords());
  write(target, listFiles.zones, buildWindowsZones());
  write(target, listFiles.emoji, buildEmoji());
  const { buildLicences } = await import('./package-licences.ts');
  const [
    { buildAssets, buildFrameScripts, buildInlineStyles, buildSavedStyle },
    { buildDiagramScripts },
  ] = await Promise.all([import('./browser.ts'), import('./diagrams.ts')]);
  const [assets, inlineStyles, savedStyle, frames, diagrams] = await Promise.all([
    buildAssets(),
    buildInlineStyles(),
    buildSavedStyle(),
    buildFrameScripts(),
    buildDiagramScripts(),
  ]);
  write(target, assetFiles.manifest, assets.manifest);
  write(target, assetFiles.files, assets.files);
  write(target, assetFiles.inlineStyles, inlineStyles);
  write(target, assetFiles.savedStyle, savedStyle);
  write(target, assetFiles.frameScripts, frames.scripts);
  write(target, assetFiles.diagramManifest, diagrams.manifest);
  write(target, assetFiles.diagramScripts, diagrams.scripts);
  const packages = [assets, frames, diagrams].flatMap((built) => [...built.packages]);
  write(target, assetFiles.licences, buildLicences(root, packages));
  // The routes import the assets' paths.
  const [{ openApi }, { formatEndpoints }, { formatTools }, { renderReference }] =
    await Promise.all([
      import('./openapi.ts'),
      import('./endpoints.ts'),
      import('./tools.ts'),
      import('../../functions/web/docs/reference/page.ts'),
    ]);
  const document = JSON.stringify(openApi());
  write(target, apiFiles.openApi, document);
  write(target, apiFiles.reference, JSON.stringify(renderReference(JSON.parse(document))));
  await writeTypes(target, document);
  write(target, apiFiles.endpoints, formatEndpoints());
  write(target, apiFiles.tools, formatTools());
  const { buildCli } = await import('./cli.ts');
  const cli = await buildCli();
  write(target, cliFiles.command, cli.command);
  write(target, cliFiles.unpack, cli.unpack);
  write(target, cliFiles.assistants, cli.assistants);
  write(target, cliFiles.archives, cli.archives);
  write(target, cliFiles.client, cli.client);
  write(target, cliFiles.licences, cli.licences);
  write(target, checksumFile, createChecksum(inputs, target));
  return true;
};

const usage = `Usage: npm run build
Writes what is built of the sources: scripts and styles of pages, the OpenAPI document, and handbill.`;

if (import.meta.main) {
  const { parseCommand, run } = await import('../commands/command.ts');
  await run(async (args) => {
    parseCommand(usage, { args, options: {} });
    await buildArtefacts();
  });
}
