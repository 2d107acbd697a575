import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { buildFunction } from '../../../infra/functions/function-code.ts';
import {
  type FunctionConfig,
  type FunctionName,
  functionConfigs,
} from '../../../infra/functions/function-config.ts';

const run = promisify(execFile);

// Outside the project, because its package.json declares .js files as ESM.
const outdir = mkdtempSync(join(tmpdir(), 'handbill-bundles-'));

afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/** What a bundle loads before the first event. */
interface Start {
  /** Size of its parts in bytes. */
  readonly size: number;
  /** Text of its parts, without source maps. */
  readonly sources: readonly string[];
  /** Constructors of `Intl` that were called. The first one loads locale data. */
  readonly formatters: readonly string[];
  /** Loaded Node modules, by internal name. */
  readonly modules: readonly string[];
}

const script = `
  const { readFileSync, statSync } = require('node:fs');
  const formatters = [];
  for (const name of Object.getOwnPropertyNames(Intl)) {
    const make = Intl[name];
    if (!/Format$|^Collator$/.test(name)) continue;
    Intl[name] = function (...args) {
      formatters.push(name);
      return new make(...args);
    };
  }
  require(process.argv[1]);
  const parts = Object.keys(require.cache);
  console.log(JSON.stringify({
    size: parts.reduce((bytes, part) => bytes + statSync(part).size, 0),
    sources: parts.flatMap((part) => JSON.parse(readFileSync(part + '.map', 'utf8')).sources),
    formatters,
    modules: process.moduleLoadList.map((name) => name.split(' ').at(-1)),
  }));
`;

const startOf = async (purpose: FunctionName): Promise<Start> => {
  const folder = join(outdir, purpose);
  buildFunction(purpose, functionConfigs[purpose], folder);
  const options = { cwd: outdir, env: {}, maxBuffer: 2 ** 22 };
  return JSON.parse(
    (await run(process.execPath, ['-e', script, join(folder, 'bundle.js')], options)).stdout,
  );
};

const all = Object.entries(functionConfigs) as [FunctionName, FunctionConfig][];
const isTable = ([, { table }]: [FunctionName, FunctionConfig]): boolean => table !== undefined;
const withTable = all.filter(isTable).map(([purpose]) => purpose);
const without = all.filter((one) => !isTable(one)).map(([purpose]) => purpose);

const ofSdk = /node_modules\/@(?:aws-sdk|smithy)\//;

describe('the start of a function', () => {
  it.each(withTable)(
    'loads less than 425 KB, no S3 client and no logger for %s',
    async (purpose) => {
      const { size, sources, formatters, modules } = await startOf(purpose);
      expect(size).toBeLessThan(425_000);
      expect(sources.filter((source) => /client-s3|xml-builder|powertools/.test(source))).toEqual(
        [],
      );
      expect(formatters).toEqual([]);
      expect(modules).not.toContain('internal/webstreams/readablestream');
    },
  );

  it.each(without)('loads no SDK for %s, which has no table', async (purpose) => {
    const { sources, formatters } = await startOf(purpose);
    expect(sources.filter((source) => ofSdk.test(source))).toEqual([]);
    expect(formatters).toEqual([]);
  });
});
