import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../command.ts';

/** The bound of a call of git; a checkout writes thousands of files. ms. */
const timeout = 120_000;

/** A commit of the repository. */
export interface Commit {
  readonly id: string;
  /** Its day and subject. */
  readonly summary: string;
}

/** The repository of this checkout. */
export class Repository {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async #git(...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('git', args, { cwd: this.#root, timeout });
    return stdout.trim();
  }

  /** @throws CommandError without Git, or outside of a repository */
  async assertUsable(): Promise<void> {
    try {
      await this.#git('rev-parse', '--git-dir');
    } catch (cause) {
      const isInstalled = (cause as NodeJS.ErrnoException).code !== 'ENOENT';
      throw new CommandError(
        isInstalled
          ? 'This folder is no Git repository, so no former release can be taken from it. Clone the repository and run the command there.'
          : 'Git isn’t installed, which has the former release. Install it, and run the command again.',
        { cause },
      );
    }
  }

  /**
   * Finds a commit by its id, a tag or a branch.
   * @throws CommandError that says how to get it
   */
  async find(name: string): Promise<Commit> {
    try {
      const id = await this.#git(
        'rev-parse',
        '--verify',
        '--quiet',
        '--end-of-options',
        `${name}^{commit}`,
      );
      const summary = await this.#git('show', '--no-patch', '--format=%cs %s', id);
      return { id, summary };
    } catch (cause) {
      const isShallow = (await this.#git('rev-parse', '--is-shallow-repository')) === 'true';
      const fetch = isShallow ? 'git fetch --unshallow --tags' : 'git fetch --all --tags';
      throw new CommandError(
        `${name} isn’t in this repository${isShallow ? ', which was cloned without its history' : ''}. Run \`${fetch}\`, and the command again.`,
        { cause },
      );
    }
  }

  /** Reads a file of a commit; `undefined` if it has none. */
  async read(commit: Commit, path: string): Promise<string | undefined> {
    return this.#git('show', `${commit.id}:${path}`).catch(() => undefined);
  }

  /** Checks a commit out into a temporary folder, runs with it, and removes it in any case. */
  async withCheckout(commit: Commit, run: (folder: string) => Promise<void>): Promise<void> {
    const parent = await mkdtemp(join(tmpdir(), 'handbill-rollback-'));
    const folder = join(parent, 'handbill');
    try {
      await this.#git('worktree', 'add', '--detach', folder, commit.id);
      await run(folder);
    } finally {
      await rm(parent, { recursive: true, force: true });
      await this.#git('worktree', 'prune').catch(() => undefined);
    }
  }
}
