import { execFile } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandError, parseCommand, print, run } from './command.ts';

/** What `npm audit --json` answers where the registry has answered. */
const Report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});

/** The exit code that tells an unanswered question from a bad answer. */
const unanswered = 2;

const timeoutMs = 120_000;

const npmAudit = (): Promise<string> => {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json'];
  // A registry that does not answer is told within seconds, not after npm's minutes of tries.
  const bounds = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000'];
  const { npm_execpath } = process.env;
  const [file, first] = npm_execpath ? [process.execPath, [npm_execpath]] : ['npm', []];
  const options = { cwd: join(import.meta.dirname, '../..'), timeout: timeoutMs };
  return new Promise((resolve) => {
    // It fails where it finds something as well as where it finds out nothing: what it prints tells these apart.
    execFile(file, [...first, ...args, ...bounds], options, (_, stdout) => resolve(stdout));
  });
};

const parseReport = (text: string) => {
  try {
    return Report.parse(JSON.parse(text)).vulnerabilities;
  } catch (cause) {
    throw new CommandError(
      'The npm registry doesn’t answer, so nothing is known about vulnerabilities. Try again when you are online.',
      { cause, exitCode: unanswered },
    );
  }
};

/**
 * `npm run audit`: fails with exit code 1 for production dependencies that have a known vulnerability of severity high or
 * critical, and with 2 where the registry doesn't answer.
 * @throws CommandError
 */
export const audit = async (args: readonly string[]): Promise<void> => {
  parseCommand({ args, options: {} });
  const found = Object.entries(parseReport(await npmAudit())).filter(
    ([, { severity }]) => severity === 'high' || severity === 'critical',
  );
  for (const [name, { severity, range }] of found) print(`${name} ${range}: ${severity}`);
  if (found.length > 0) {
    const packages = found.length === 1 ? '1 package' : `${found.length} packages`;
    throw new CommandError(
      `Known vulnerabilities in ${packages}. Run npm audit --omit=dev for details.`,
    );
  }
  print('No known vulnerabilities of severity high or critical in production dependencies.');
};

if (import.meta.main) await run(audit);
