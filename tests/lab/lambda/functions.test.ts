import { writeSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { pass } from '../../support/run/virtual-time.ts';
import { allTypicalCalls } from '../../support/service/all-sample-requests.ts';
import { allFlows } from './all-flows.ts';
import { type AwsCall, leadingKeys } from './aws-calls.ts';
import { foreignSources, sourcesIn } from './bundle-sources.ts';
import { startOf, without, withTable } from './bundle-start.ts';
import { byCookie, byKey, call } from './call.ts';
import { deployment } from './deployment.ts';
import {
  foreignPackages,
  otherVariables,
  reasonFor,
  unreadSettings,
  unusedPartitions,
  unusedRights,
} from './exceptions.ts';
import {
  coveredBy,
  deniedOf,
  grantsOf,
  needing,
  partitionGrantsOf,
  textOf,
  unusedOf,
  unusedPartitionsOf,
} from './rights.ts';
import { groupOf, routeOf, uncalled } from './sample-requests.ts';
import { missingSettings, unreadOf } from './settings.ts';
import type { DeployedFunction } from './stack.ts';
import { usageTable } from './usage-table.ts';
import { useDeployment } from './use-deployment.ts';

useDeployment();
afterAll(() => {
  const { functions, processes } = deployment();
  // Bypasses the log capture, so that the output is visible.
  writeSync(1, `\n${usageTable(functions, processes)}\n`);
});

const calls = await allTypicalCalls();
const flows = await allFlows();
const hourMs = 60 * 60_000;

/** Lambda polls the queue with the permissions of the function. */
const polling = ['sqs:ReceiveMessage', 'sqs:DeleteMessage'];

const isSignedIn = (name: string): boolean => {
  const { method, access } = routeOf(name) ?? {};
  return method === 'GET' && access !== 'public' && access !== 'optional';
};

/** One of these calls per group. */
const onePerGroup = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [groupOf(routeOf(name)), name])).values(),
];
/** Calls that accept an `Idempotency-Key`. */
const repeatable = onePerGroup(Object.keys(calls).filter((name) => routeOf(name)?.idempotency));
/** Calls that authenticate the session. */
const signedIn = onePerGroup(Object.keys(calls).filter(isSignedIn));

describe('the functions of the bundles', () => {
  it('have a call of every route', () => expect(uncalled(calls)).toEqual([]));

  it.each(Object.entries(calls))('respond to %s', async (name, prepare) => {
    pass(hourMs);
    const { status, body } = await (await prepare())();
    const { status: expected, redirects } = routeOf(name) ?? {};
    const accepted = redirects === undefined ? [expected] : [expected, 303];
    expect(accepted, JSON.stringify(body)).toContain(status);
  });

  it.each(repeatable)('serve %s with an idempotency key', async (name) => {
    const send = await calls[name]?.();
    const response = await byKey(async () => send?.());
    // One-time calls were already done, but their session use is still recorded.
    expect([routeOf(name)?.status, 409]).toContain(response?.status);
  });

  it.each(signedIn)('record the session use by %s', async (name) => {
    const send = await calls[name]?.();
    pass(2 * hourMs);
    const response = await byCookie(async () => send?.());
    expect(response?.status).toBe(routeOf(name)?.status);
  });

  it.each(Object.entries(flows))('serve %s', (_, flow) => flow());

  it('send no AWS requests between events', () => {
    const late = deployment().recorded.filter(
      ({ isLate, action }) => isLate && !polling.includes(action),
    );
    expect(late).toEqual([]);
  });

  it('have at least 1.5 times the memory used', () => {
    const { functions, processes } = deployment();
    const isTight = ({ name, memoryMb }: DeployedFunction) =>
      1.5 * (processes.get(name)?.taken().maxRssMb ?? 0) > memoryMb;
    expect(functions.filter(isTight).map(({ name }) => name)).toEqual([]);
  });
});

const callsBy = (name: string): AwsCall[] => deployment().recorded.filter(({ by }) => by === name);

/** Returns the findings of each function that has any. */
const ofEach = async <T>(
  find: (deployed: DeployedFunction) => T[] | Promise<T[]>,
): Promise<Record<string, T[]>> => {
  const found = new Map<string, T[]>();
  for (const deployed of deployment().functions) {
    const its = await find(deployed);
    if (its.length > 0) found.set(deployed.name, its);
  }
  return Object.fromEntries(found);
};

const unusedBy = ({ name, statements }: DeployedFunction) => unusedOf(callsBy(name), statements);

const allow = (action: string, resource: string) =>
  ({ Effect: 'Allow', Action: action, Resource: resource }) as const;

describe('the permissions of the functions', () => {
  it('cover all requests', async () => {
    expect(await ofEach(({ name, statements }) => deniedOf(callsBy(name), statements))).toEqual({});
  });

  it('are all used, or have a reason', async () => {
    const unused = (deployed: DeployedFunction) =>
      unusedBy(deployed)
        .filter((grant) => !reasonFor(grant))
        .map(textOf);
    expect(await ofEach(unused)).toEqual({});
  });

  it('have no outdated reason', () => {
    const excused = deployment().functions.flatMap(unusedBy).map(reasonFor);
    expect(unusedRights.filter((one) => !excused.includes(one))).toEqual([]);
  });

  it('are each required', async () => {
    const untouched = await ofEach(async (deployed) => {
      const unused = unusedBy(deployed).map(textOf);
      const grants = grantsOf(deployed.statements).filter((one) => !unused.includes(textOf(one)));
      const unmissed: string[] = [];
      // Those to list the bucket are told apart by their conditions on prefixes.
      for (const taken of grants.filter(({ action }) => action !== 's3:ListBucket')) {
        const left = grants
          .filter((one) => one !== taken)
          .map(({ action, resource }) => allow(action, resource));
        const denied = await deniedOf(coveredBy(taken, callsBy(deployed.name)), left);
        if (denied.length === 0) unmissed.push(textOf(taken));
      }
      return unmissed;
    });
    expect(untouched).toEqual({});
  });

  it('are reported if one is unused', () => {
    const unnoticed = deployment().functions.filter((deployed) => {
      const statements = [...deployed.statements, allow('dynamodb:Scan', '*')];
      const added = unusedBy({ ...deployed, statements }).slice(unusedBy(deployed).length);
      return added.filter((grant) => !reasonFor(grant)).length !== 1;
    });
    expect(unnoticed.map(({ name }) => name)).toEqual([]);
  });
});

describe('the table partitions of the functions', () => {
  const tableName = (resource: string) => resource.replace(/^.*:table\/[^/]*/, 'table');
  const wordsOf = (one: { pattern: string; resource: string }) =>
    `${one.pattern} of the ${tableName(one.resource)}`;
  const isExcused = (name: string, pattern: string) =>
    unusedPartitions.some((one) => one.by === name && one.pattern === pattern);

  it('are all used, or have a reason', async () => {
    const unused = ({ name, statements }: DeployedFunction) =>
      unusedPartitionsOf(callsBy(name), statements).map(wordsOf);
    const expected: Record<string, string[]> = {};
    for (const { by, pattern } of unusedPartitions) {
      expected[by] = [...(expected[by] ?? []), `${pattern} of the table`];
    }
    expect(await ofEach(unused)).toEqual(expected);
  });

  it('are each required', async () => {
    const unmissed = await ofEach(async ({ name, statements }) => {
      const found: string[] = [];
      for (const { rest, ...taken } of partitionGrantsOf(statements)) {
        if (isExcused(name, taken.pattern)) continue;
        const denied = await deniedOf(needing(taken, callsBy(name)), rest);
        if (denied.length === 0) found.push(wordsOf(taken));
      }
      return found;
    });
    expect(unmissed).toEqual({});
  });

  it('exclude all other partitions', async () => {
    const allowed = await ofEach(async ({ name, statements }) => {
      const [used] = callsBy(name).filter(({ action }) => action.startsWith('dynamodb:'));
      if (!used) return [];
      const foreign = { ...used, context: { [leadingKeys]: ['FOREIGN#1'] } };
      const mixed = {
        ...used,
        context: { [leadingKeys]: [used.context?.[leadingKeys] ?? [], 'FOREIGN#1'].flat() },
      };
      const { context: _, ...unnamed } = used;
      const tried = [foreign, mixed, unnamed];
      const denied = await Promise.all(tried.map((one) => deniedOf([one], statements)));
      return denied.flatMap((each, at) => (each.length === 0 ? [String(at)] : []));
    });
    expect(allowed).toEqual({});
  });
});

describe('the settings of the functions', () => {
  const readBy = (name: string) => deployment().processes.get(name)?.taken().settings ?? new Set();

  it('include every setting that is read', async () => {
    const missing = ({ name, environment }: DeployedFunction) =>
      missingSettings(readBy(name), environment);
    expect(await ofEach(missing)).toEqual({});
  });

  it('are all read, or have a reason', async () => {
    const unread = ({ name, environment }: DeployedFunction) => unreadOf(readBy(name), environment);
    expect(await ofEach(unread)).toEqual({});
  });

  it('have no outdated reason', () => {
    const { functions } = deployment();
    const unread = functions.flatMap(({ name, environment }) =>
      Object.keys(environment).filter((each) => !readBy(name).has(each)),
    );
    expect(Object.keys(unreadSettings).filter((name) => !unread.includes(name))).toEqual([]);
    const read = functions.flatMap(({ name }) => [...readBy(name)]);
    expect(otherVariables.filter(({ name }) => !read.some((each) => name.test(each)))).toEqual([]);
  });

  it('report a missing and an unused setting', async () => {
    const wrong = await ofEach(({ name, environment }) => {
      const read = readBy(name);
      const dropped = Object.keys(environment).filter((each) => {
        const { [each]: _, ...rest } = environment;
        return read.has(each) && !missingSettings(read, rest).includes(each);
      });
      const added = unreadOf(read, { ...environment, DEBUG_ALL: '1' });
      return added.includes('DEBUG_ALL') ? dropped : [...dropped, 'DEBUG_ALL'];
    });
    expect(wrong).toEqual({});
  });

  it('are required: a function without TABLE_NAME fails', async () => {
    const health = deployment().processes.get('health');
    await health?.restart({ without: ['TABLE_NAME'] });
    const { status } = await call('GET /api/health');
    await health?.restart();
    expect(status).toBe(503);
    expect((await call('GET /api/health')).status).toBe(200);
  });
});

describe('the bundles', () => {
  it('contain no development, test or local code', async () => {
    const { functions } = deployment();
    expect(functions.every(({ folder }) => sourcesIn(folder).length > 0)).toBe(true);
    const foreign = ({ folder }: DeployedFunction) =>
      foreignSources(sourcesIn(folder)).filter((source) => !(source in foreignPackages));
    expect(await ofEach(foreign)).toEqual({});
    const sources = functions.flatMap(({ folder }) => sourcesIn(folder));
    expect(sources.some((source) => source.endsWith('shared/markdown/worker.ts'))).toBe(true);
    const all = functions.flatMap(({ folder }) => foreignSources(sourcesIn(folder)));
    expect(Object.keys(foreignPackages).filter((source) => !all.includes(source))).toEqual([]);
  });
});

const ofSdk = /node_modules\/@(?:aws-sdk|smithy)\//;

/**
 * The share function reads whatever people bring: texts, forms, archives and files; it exports its list, and tells webhooks of
 * what becomes of shares, as their page does. The console has the markup of all its pages. That of sign-ins has the most routes, and that of users
 * makes files of users, reads them and keeps what each one has asked for. Nobody waits for the start of that of exports.
 */
const maxStarts: Readonly<Record<string, number>> = {
  share: 535_000,
  'share-page': 465_000,
  auth: 475_000,
  site: 460_000,
  users: 465_000,
  exports: 500_000,
};
const maxStart = (purpose: string): number => maxStarts[purpose] ?? 450_000;

describe('the start of a function', () => {
  it.each(withTable)(
    'loads less than 450 KB (share: 535, its page: 465, auth: 475, site: 460, users: 465, exports: 500), no S3 client and no logger for %s',
    async (purpose) => {
      const { size, sources, formatters, modules } = await startOf(purpose);
      expect(size).toBeLessThan(maxStart(purpose));
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
