import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Checks the types beside the tests of `npm test`, which fails with what is wrong. A run of a single file checks none. */
export const setup = (): (() => Promise<void>) | undefined => {
  if (process.env['npm_lifecycle_event'] !== 'test') return undefined;
  const cwd = join(import.meta.dirname, '../../..');
  const check = spawn('npm', ['run', '-s', 'types'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const checked = Promise.all([text(check.stdout), once(check, 'close')]);
  return async () => {
    const [found, [code]] = await checked;
    if (code !== 0) throw new Error(`npm run types failed:\n${found}`);
  };
};
