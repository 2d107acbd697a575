import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { workers } from '../../functions/jobs/registry.ts';
import { scheduledWork } from '../../functions/jobs/sweeps/scheduled.ts';
import { hosts, listGroups } from '../../functions/routes.ts';
import { openApi } from '../../infra/build/openapi.ts';
import { readOptions } from '../../infra/local/options.ts';
import { clearedSessionCookie, sessionCookie } from '../../shared/auth/session-cookie.ts';
import { schema } from '../../shared/db/key.ts';
import type { Host } from '../../shared/http/host.ts';
import type { Route, RouteLimit } from '../../shared/http/route.ts';
import { Message } from '../../shared/jobs/job-type.ts';
import { httpStatusByCode } from '../../shared/runtime/errors.ts';
import { parseSetting, type SettingName } from '../../shared/runtime/settings.ts';
import { describeFamilies, otherKeys } from '../support/pins/pinned-keys.ts';
import { canonical, digest, found, pin, sources } from '../support/pins/pins.ts';

// Pins stored and public names, which refactoring must not change. Accept intended changes with `-u`.

const isKey = (value: unknown): value is { readonly pk: string; readonly sk: string } =>
  typeof value === 'object' && value !== null && 'pk' in value && 'sk' in value;

const secretId = /[\w-]{22}$/;

describe('keys', () => {
  it('match the pinned file', async () => {
    const others = Object.entries(otherKeys).map(([name, made]) => {
      const text = isKey(made)
        ? `${made.pk} | ${made.sk}`
        : made.replace(secretId, '<a secret id>');
      return `${name} → ${text.replaceAll('\u0000', '\\0')}`;
    });
    const table = `the table: ${JSON.stringify(schema)}`;
    await pin('keys', [...(await describeFamilies()), ...others, table]);
  });

  it('have the pinned literals', async () => {
    // Finds quoted text and patterns with a part of a key, such as `USER#`.
    const literal = /(?<![\w`])(['`])((?:(?!\1)[^\n\\])*\b[A-Z]{2,}#(?:(?!\1)[^\n\\])*)\1/g;
    const pattern = /(\/\^[^\n]*?[A-Z)]{2,}#[^\n]*?\/)(?=[),.s])/g;
    await pin('key-texts', [
      ...found(literal).map((line) => line.slice(2).replaceAll(/\$?\{[^}]*\}/g, '{}')),
      ...found(pattern).map((line) => `pattern ${line}`),
    ]);
  });
});

describe('jobs', () => {
  it('match the pinned file', async () => {
    const shape = (type: z.ZodType) => canonical(z.toJSONSchema(type, { io: 'input' }));
    const jobs = workers.map((worker) => {
      const { name, once, data } = worker.type;
      const by = 'runAll' in worker ? 'by the batch' : 'each by itself';
      return `job ${name}: ${once ? 'once' : 'repeatable'}, ${by}, ${shape(data)}`;
    });
    expect(new Set(workers.map(({ type }) => type.name)).size).toBe(workers.length);
    const scheduled = scheduledWork.map(({ name }) => `sweep ${name}`);
    await pin('jobs', [...jobs, ...scheduled, `message: ${shape(Message)}`]);
  });
});

const flags = ['failuresOnly', 'countNotFound', 'guardsPassword', 'isShared'] as const;

const limitText = (limit: RouteLimit): string =>
  [`${limit.name} ${limit.tokens}/${limit.perMs}ms`, ...flags.filter((flag) => limit[flag])].join(
    ' ',
  );

const inputs = ['params', 'query', 'headers', 'body'] as const;
const abilities = ['readsList', 'versionOf', 'failurePage'] as const;

/** Returns the properties of a route without its texts. */
const routeText = (route: Route): string => {
  const { errors = {}, limits = [], idempotency: repeats } = route;
  const declared = (Object.keys(errors) as (keyof typeof errors)[]).map(
    (code) => `${httpStatusByCode[code]} ${code}`,
  );
  return [
    `access ${route.access}${route.scope === undefined ? '' : ` (token: ${route.scope})`}`,
    ...(route.accessByRecord === undefined
      ? []
      : [`or by the record with ${route.accessByRecord}`]),
    `audit ${route.auditAction ?? '-'}`,
    `status ${route.status}`,
    `errors ${declared.sort().join(', ') || '-'}`,
    `limits ${limits.map(limitText).join(', ') || '-'}`,
    `${route.accepts} → ${route.produces}`,
    `input ${inputs.filter((part) => route[part]).join(', ') || '-'}`,
    repeats ? `repeats without ${repeats.withoutFields?.join(', ') ?? '-'}` : 'no repeats',
    ...abilities.filter((ability) => route[ability]),
  ].join(' | ');
};

describe('routes', () => {
  it('match the pinned file', async () => {
    const lines = (Object.keys(hosts) as Host[]).flatMap((host) =>
      listGroups(host).flatMap(({ name, routes }) =>
        routes.map(
          (route) => `${host} ${name} ${route.method} ${route.path} | ${routeText(route)}`,
        ),
      ),
    );
    await pin('routes', lines);
  });

  it('have the pinned OpenAPI document', async () => {
    const { paths = {}, components = {}, ...rest } = JSON.parse(JSON.stringify(openApi()));
    const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => `${path} ${method} ${digest(one)}`),
    );
    const parts = Object.entries<object>(components).flatMap(([kind, all]) =>
      Object.entries(all).map(([name, one]) => `${kind} ${name} ${digest(one)}`),
    );
    const others = Object.entries(rest).map(([name, one]) => `${name} ${digest(one)}`);
    await pin('api-document', [...operations, ...parts, ...others]);
  });
});

/** Returns the settings that the service declares. */
const serviceSettings = (): SettingName[] => {
  const text = sources().find((one) => one.includes('export const parseSetting ='));
  const declared = text?.matchAll(/^ {2}([A-Z][A-Z\d_]+): \{/gm) ?? [];
  return [...declared].map(([, name]) => name as SettingName);
};

const defaultOf = (name: SettingName): string => {
  try {
    return JSON.stringify(parseSetting(name, undefined)) ?? 'optional';
  } catch (error) {
    return `needed: ${(error as Error).message}`;
  }
};

describe('settings', () => {
  it('match the pinned file', async () => {
    const read = [
      ...found(/process\.env\['(\w+)'\]/g),
      ...found(/\{([^{}]*)\}\s*=\s*process\.env/g).flatMap(
        (list) => list.match(/[A-Z_]{3,}/g) ?? [],
      ),
      ...found(/'((?:AWS|HANDBILL|LOCAL|POWERTOOLS)_[A-Z\d_]+)'/g),
    ];
    await pin('settings', [
      ...serviceSettings().map((name) => `service ${name}: ${defaultOf(name)}`),
      ...Object.entries(readOptions({})).map(
        ([name, value]) => `local run ${name}: ${JSON.stringify(value) ?? 'optional'}`,
      ),
      ...read.map((name) => `environment ${name}`),
    ]);
  });
});

describe('names', () => {
  it('of metrics, limits, audit actions, errors and cookies match the pinned file', async () => {
    await pin('names', [
      ...found(/addMetric\(\s*'(\w+)',\s*'(\w+)'/g).map((name) => `metric ${name}`),
      ...found(/(namespace|serviceName|metricName): '([\w/]+)'/g).map((name) => `metrics ${name}`),
      ...found(/\bname: '([\w-]+)',\s*tokens: ([^,]+),\s*perMs: ([^,}]+)/g).map(
        (limit) => `limit ${limit}`,
      ),
      ...found(/(?:action: |\w+Recorder\()'([a-z-]+\.[a-z-]+)'/g).map((name) => `audited ${name}`),
      ...Object.entries(httpStatusByCode).map(([code, status]) => `error ${code} ${status}`),
      `cookie ${sessionCookie('<token>', 1_000)}`,
      `cookie ${clearedSessionCookie}`,
    ]);
  });
});
