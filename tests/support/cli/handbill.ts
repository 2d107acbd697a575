import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const command = join(import.meta.dirname, '../../../infra/cli/bin/handbill.cjs');

/** What a run of the command printed and exited with. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Acts while the command runs. */
  readonly during?: (child: ChildProcessWithoutNullStreams) => Promise<void>;
}

/** Creates a shell with a folder of its own, in which `handbill` is run. */
export const createShell = (folder: string) => ({
  async run(args: readonly string[], { input = '', env, during }: RunOptions = {}): Promise<Ran> {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        TMPDIR: folder,
        NODE_DISABLE_COMPILE_CACHE: '1',
        ...env,
      },
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    await during?.(child);
    const [out, err, [code]] = await printed;
    return { code, out, err };
  },
});
