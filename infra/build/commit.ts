import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Returns the commit of a folder in 12 digits, with `-dirty` if files have changed since, or `unknown` if it has no git
 * repository of its own.
 */
export const readCommit = (folder = root): string => {
  // A copy without history may lie within another repository.
  if (!existsSync(join(folder, '.git'))) return 'unknown';
  // The service may run as another user than the one who cloned it.
  const safe = ['-c', `safe.directory=${folder}`];
  const describe = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe', timeout: 5_000 } as const;
    return execFileSync('git', [...safe, ...describe], options).trim() || 'unknown';
  } catch {
    return 'unknown';
  }
};
