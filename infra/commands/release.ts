import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastVersion, releaseChanges } from './changelog.ts';
import { CommandError, parseCommand, print, run } from './command.ts';

/** The files that a release changes. */
const files = [
  'CHANGELOG.md',
  'package.json',
  'infra/cli/package.json',
  'package-lock.json',
] as const;
type File = (typeof files)[number];
type Texts = Readonly<Record<File, string>>;

/** Every change has to pass these, and takes minutes. */
const checks = ['check', 'test'] as const;

const usage = `Usage: npm run release -- <version> [--dry-run]
Releases what CHANGELOG.md has below “Unreleased”: checks it, sets the version, commits and tags it. Pushes nothing.
  <version>  such as 1.2.0, higher than the last one
  --dry-run  says what it would do, and changes nothing`;

/** Sets the version of a package; the lock file has it of the service twice, and of the command's package. */
const setVersion = (file: File, text: string, version: string): string => {
  const content = JSON.parse(text);
  content.version = version;
  for (const entry of ['', 'infra/cli']) {
    const own = file === 'package-lock.json' ? content.packages[entry] : undefined;
    if (own) own.version = version;
  }
  return `${JSON.stringify(content, null, 2)}\n`;
};

/** Prepares the texts of all files with the new version. */
const prepare = (texts: Texts, version: string): Texts => {
  const day = new Date().toISOString().slice(0, 10);
  return Object.fromEntries(
    files.map((file) => [
      file,
      file === 'CHANGELOG.md'
        ? releaseChanges(texts[file], version, day)
        : setVersion(file, texts[file], version),
    ]),
  ) as Texts;
};

/** Runs git in a folder and returns its output. @throws CommandError with what git says */
const runGit = (folder: string, ...args: readonly string[]): string => {
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', args, options).trim();
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new CommandError(`git ${args[0]} failed: ${stderr.trim()}`, { cause: error });
  }
};

const readTexts = async (folder: string): Promise<Texts> => {
  const texts = files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
};

/** Writes and commits the files; after a failure they are as before. */
const commitTexts = async (folder: string, texts: Texts, subject: string): Promise<void> => {
  try {
    for (const file of files) await writeFile(join(folder, file), texts[file]);
    runGit(folder, 'commit', '--quiet', '--message', subject, '--', ...files);
  } catch (error) {
    runGit(folder, 'restore', '--staged', '--worktree', '--', ...files);
    throw error;
  }
};

/** @throws CommandError unless everything is committed, on main */
const assertReady = (folder: string): void => {
  const branch = runGit(folder, 'branch', '--show-current');
  if (branch !== 'main') {
    throw new CommandError(`Releases are made on main. You are on ${branch || 'no branch'}.`);
  }
  const changes = runGit(folder, 'status', '--porcelain');
  if (changes !== '') throw new CommandError(`Commit or discard these changes first:\n${changes}`);
};

/** @throws CommandError for the first check that fails */
const runChecks = (folder: string): void => {
  for (const script of checks) {
    print(`npm run ${script}`);
    try {
      execFileSync('npm', ['run', '--silent', script], { cwd: folder, stdio: 'inherit' });
    } catch (cause) {
      throw new CommandError(`npm run ${script} failed. Nothing is released.`, { cause });
    }
  }
};

const root = join(import.meta.dirname, '../..');

/**
 * Runs `npm run release -- <version> [--dry-run]`. Repeated after it broke off, it does what is left.
 * @throws CommandError that says what is missing
 */
export const release = async (args: readonly string[], folder = root): Promise<void> => {
  const { values, positionals } = parseCommand(usage, {
    args,
    options: { 'dry-run': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [version = ''] = positionals;
  if (positionals.length !== 1 || !/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) {
    throw new CommandError(usage);
  }
  const git = (...command: readonly string[]) => runGit(folder, ...command);
  const tag = `v${version}`;
  const subject = `Release ${version}`;
  const push = `Push it with: git push origin main ${tag}`;
  const head = git('rev-parse', 'HEAD');
  if (git('tag', '--list', tag) !== '') {
    if (git('rev-parse', `${tag}^{commit}`) === head)
      return print(`${tag} is this commit. ${push}`);
    throw new CommandError(`${tag} is another commit. Choose a higher version.`);
  }
  assertReady(folder);
  const texts = await readTexts(folder);
  const isCommitted =
    lastVersion(texts['CHANGELOG.md']) === version &&
    git('log', '--max-count=1', '--format=%s') === subject;
  const released = isCommitted ? undefined : prepare(texts, version);
  if (values['dry-run']) {
    const steps = [
      ...(released ? [...checks.map((script) => `npm run ${script}`), `commit “${subject}”`] : []),
      `tag ${tag}`,
    ];
    return print(`Would run: ${steps.join(', ')}. Nothing is changed.`);
  }
  if (released) {
    runChecks(folder);
    // The checks take minutes, in which someone may have gone on.
    assertReady(folder);
    await commitTexts(folder, released, subject);
  }
  git('tag', '--annotate', tag, '--message', subject);
  print(`${tag} is committed and tagged. ${push}`);
};

if (import.meta.main) await run(release);
