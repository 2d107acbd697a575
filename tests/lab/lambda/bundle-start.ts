import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type {
  FunctionConfig,
  FunctionName,
} from '../../../infra/functions/config/function-config.ts';
import { functionConfigs } from '../../../infra/functions/config/functions.ts';
import { deployment } from './deployment.ts';

const run = promisify(execFile);

const all = Object.entries(functionConfigs) as [FunctionName, FunctionConfig][];
const isTable = ([, { table }]: [FunctionName, FunctionConfig]): boolean => table !== undefined;
/** The functions whose bundle has the table's client. */
export const withTable = all.filter(isTable).map(([purpose]) => purpose);
/** The others. */
export const without = all.filter((one) => !isTable(one)).map(([purpose]) => purpose);

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

/** Loads the bundle of a deployed function in a process of its own, outside the project. */
export const startOf = async (purpose: FunctionName): Promise<Start> => {
  const folder = deployment().functions.find(({ name }) => name === purpose)?.folder ?? '';
  const options = { cwd: tmpdir(), env: {}, maxBuffer: 2 ** 22 };
  const { stdout } = await run(
    process.execPath,
    ['-e', script, join(folder, 'bundle.js')],
    options,
  );
  return JSON.parse(stdout);
};
