import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getLogger, publishMetrics } from '../../../shared/runtime/telemetry.ts';
import { runWithin } from '../../../shared/runtime/time-left.ts';

const lines: Record<string, unknown>[] = [];

beforeEach(() => {
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  vi.spyOn(console, 'error').mockImplementation((line: string) => {
    lines.push(JSON.parse(line));
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('names the invocation in each line, and only the first one of a process as a cold start', () => {
  const invoke = (awsRequestId: string, work: () => void) =>
    runWithin({ awsRequestId, functionName: 'x' } as Context, work);
  invoke('first', () => publishMetrics());
  invoke('second', () => getLogger().error('late'));
  invoke('third', () => {
    getLogger().error('one');
    getLogger().error('two');
  });
  const told = lines.map(({ message, function_request_id: id, cold_start: cold }) => [
    message,
    id,
    cold,
  ]);
  expect(told).toEqual([
    ['late', 'second', false],
    ['one', 'third', false],
    ['two', 'third', false],
  ]);
});
