import { describe, expect, it, vi } from 'vitest';
import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import {
  accessDenied,
  canceled,
  conditionFailed,
  passingErrors,
  secretWords,
} from '../support/aws/errors.ts';
import { type Sent, useMockedService } from '../support/aws/mocked-service.ts';
import { pass, useVirtualTime } from '../support/run/virtual-time.ts';
import { allTypicalCalls } from '../support/service/all-sample-requests.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-10T12:00:00Z');
const service = useMockedService();
/** A health check is repeated after this time. */
const healthMs = 5_000;
/** Ten recipients, each with two attempts of a limiter, and the limit of all. */
const maxAttempts = 22;
const calls = Object.entries(await allTypicalCalls());

/** Commands that may fail without failing their request. */
const optional: readonly (readonly [call: RegExp, command: RegExp, why: string])[] = [
  [/./, /^SendMessage/, 'the job is saved to the outbox, or may be lost'],
  [/./, /^Update LIMIT#/, 'a limiter that fails lets requests through'],
  [/^DELETE \/api\/users\/\{id\}$/, /^(Query|BatchWrite)/, 'a job deletes what is left'],
  [/^(DELETE \/api\/users\/me|POST .*\/me\/restore)$/, /^Query/, 'a job marks the shares'],
  [/^POST .*\/users\/import/, /^(TransactWrite|Update)/, 'the response says which lines are left'],
  [/complete$/, /^DeleteObject/, 'the scheduled deletion remains'],
  [/^DELETE \/api\/share\/uploads/, /^DeleteObjects/, 'the scheduled pruning remains'],
  [/^GET \/api\/settings\/health$/, /^(Query|PutObject|GetQueue)/, 'the response reports it'],
];
/** Commands that may not be permitted, but are answered as if AWS was busy. */
const busyIfDenied =
  /^DELETE \/api\/files\/trash\/\{id\} Delete|^GET (\/api)?\/health |test-mail SendEmail/;

/** Commands that were refused once, which is answered alike for every route. */
const refused = new Set<string>();

/** An issuer takes a code once, so its test tries each command with another one. */
const isTriedElsewhere = (call: string): boolean =>
  call.startsWith('GET /login/{provider}/callback');

const used = new Set<string>();
const isOptional = (call: string, one: Sent): boolean => {
  const rule = optional.find(
    ([ofCall, ofCommand]) => ofCall.test(call) && ofCommand.test(kindOf(one)),
  );
  if (rule) used.add(rule[2]);
  return rule !== undefined;
};

/** Returns the name of a command with its key, without numbers and ids: equal ones are tried once. */
const kindOf = ({ name, input }: Sent): string =>
  [name, input.Key?.pk ?? input.Item?.pk ?? input.ExpressionAttributeValues?.[':pk'] ?? '']
    .join(' ')
    .replaceAll(/\d+/g, '0');

/** An error that AWS may return to a command. */
interface Failure {
  /** Returns it for each attempt that it is of. */
  readonly error: Error | ((attempt: Sent) => Error | undefined);
  /** Whether all commands of this name fail from then on. */
  readonly lasts?: boolean;
  /** Returns what is wrong with the response. */
  readonly check: (status: number, attempts: readonly Sent[]) => string | undefined;
}

/** Conditions on the existence of an item: on a new id, or along with a condition on a record's version. */
const isOfExistence = /^attribute_(not_)?exists\(pk\)$/;

const conditionsOf = ({ name, input }: Sent): (string | undefined)[] => {
  const writes: { ConditionExpression?: string }[] =
    name === 'TransactWrite' ? input.TransactItems.flatMap(Object.values) : [input];
  return writes.map((write) => write.ConditionExpression);
};

/** Returns the error of each failed condition of a command, for those attempts that have it. */
const failedConditions = (one: Sent): ((other: Sent) => Error | undefined)[] => {
  const isTransaction = one.name === 'TransactWrite';
  return [...new Set(conditionsOf(one))]
    .filter((text) => text !== undefined && !(isTransaction && isOfExistence.test(text)))
    .map((text) => (other) => {
      const conditions = conditionsOf(other);
      const at = conditions.lastIndexOf(text);
      if (at === -1) return undefined;
      const none = conditions.map(() => 'None');
      return isTransaction
        ? canceled(...none.with(at, 'ConditionalCheckFailed'))
        : conditionFailed();
    });
};

const failuresOf = (call: string, one: Sent, done: number): Failure[] => {
  const is = (expected: number) => (status: number) =>
    status === expected || (status === done && isOptional(call, one)) ? undefined : 'answered';
  const failures: Failure[] = [{ error: passingErrors()[0]?.[1] as Error, check: is(503) }];
  const isBusyIfDenied = busyIfDenied.test(`${call} ${one.name}`);
  if (isBusyIfDenied || !refused.has(kindOf(one))) {
    refused.add(kindOf(one));
    failures.push({ error: accessDenied(), check: is(isBusyIfDenied ? 503 : 500) });
  }
  if (one.name === 'TransactWrite') {
    const none = one.input.TransactItems.slice(1).map(() => 'None');
    const repeats = (status: number, [first, second]: readonly Sent[]) =>
      status === done && second?.input.ClientRequestToken === first?.input.ClientRequestToken
        ? undefined
        : 'not repeated';
    failures.push({ error: canceled('TransactionConflict', ...none), check: repeats });
  }
  const decides = (status: number, attempts: readonly Sent[]) =>
    status === 500 || attempts.length > maxAttempts ? `${attempts.length} attempts and` : undefined;
  for (const fail of failedConditions(one)) {
    failures.push({ error: fail, check: decides }, { error: fail, lasts: true, check: decides });
  }
  return failures;
};

describe('on mocked clients', () => {
  const tried = calls.filter(([call]) => !isTriedElsewhere(call));

  it.each(tried)('%s answers, and returns an error of each command', async (call, prepare) => {
    // A code of an app works for a minute.
    const pauseMs = call.endsWith('health') ? healthMs : 1_000;
    const act = await prepare();
    const restore = service.keep();
    pass(pauseMs);
    const { result, sent } = await service.watch(act);
    expect(result.status, JSON.stringify(result.body)).toBeLessThan(400);
    const problems: string[] = [];
    const kinds = sent.map(kindOf);
    for (const [n, one] of sent.entries()) {
      if (kinds.indexOf(kindOf(one)) < n) continue;
      for (const { error, lasts, check } of failuresOf(call, one, result.status)) {
        restore();
        pass(pauseMs);
        // Counted by name, because parallel commands have no order.
        let before = sent.slice(0, n).filter(({ name }) => name === one.name).length;
        const attempts: Sent[] = [];
        const failed = await service.watch(act, (other) => {
          if (other.name !== one.name || before-- > 0) return undefined;
          attempts.push(other);
          if (!lasts && attempts.length > 1) return undefined;
          return typeof error === 'function' ? error(other) : error;
        });
        const { status } = failed.result;
        const problem = attempts.length === 0 ? 'not met' : check(status, attempts);
        const what = typeof error === 'function' ? 'a condition' : error.name;
        if (problem) problems.push(`${one.name} ${n}, ${what}: ${problem} ${status}`);
        const text = JSON.stringify(failed.result);
        if (secretWords.some((word) => text.includes(word))) problems.push(`${one.name}: a secret`);
      }
    }
    expect(problems).toEqual([]);
  });

  const all = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
  const unanswered = (routes: readonly { method: string; path: string }[]) =>
    routes
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !calls.some(([call]) => call.replace(/ \(.*/, '') === route));

  it('answers every route', () => {
    expect(unanswered(all)).toEqual([]);
    expect(unanswered([{ method: 'GET', path: '/api/other' }])).toEqual(['GET /api/other']);
  });

  it('needs every exception', () => {
    expect([...used].sort()).toEqual(optional.map(([, , why]) => why).sort());
  });
});
