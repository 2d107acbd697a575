import { execFile } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandError, parseCommand, print, run } from './command.ts';

/** The part of the output of `npm audit --json` that is used. */
const Report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});

/** Distinguishes an unavailable registry from found vulnerabilities. */
const unavailableExitCode = 2;

const timeoutMs = 120_000;

const npmAudit = (): Promise<string> => {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json'];
  // By default npm retries for minutes.
  const limits = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000'];
  const { npm_execpath } = process.env;
  const [file, first] = npm_execpath ? [process.execPath, [npm_execpath]] : ['npm', []];
  const options = { cwd: join(import.meta.dirname, '../..'), timeout: timeoutMs };
  return new Promise((resolve) => {
    // The exit code is the same for vulnerabilities and for an unavailable registry; the output differs.
    execFile(file, [...first, ...args, ...limits], options, (_, stdout) => resolve(stdout));
  });
};

const parseReport = (text: string) => {
  try {
    return Report.parse(JSON.parse(text)).vulnerabilities;
  } catch (cause) {
    throw new CommandError(
      'Can’t reach the npm registry, so vulnerabilities are unknown. Try again when you are online.',
      { cause, exitCode: unavailableExitCode },
    );
  }
};

const usage = `Usage: npm run audit
Reports known vulnerabilities in production dependencies. Exits with 1 if there are, with 2 if npm’s registry is unavailable.`;

/**
 * Runs `npm run audit`.
 * @throws CommandError with exit code 1 for a known vulnerability of severity high or critical in production dependencies,
 * and with 2 when the registry is unavailable
 */
export const audit = async (args: readonly string[]): Promise<void> => {
  parseCommand(usage, { args, options: {} });
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
