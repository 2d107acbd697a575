import { describe, expect, it } from 'vitest';
import { allOperations } from './operations.ts';
import { fuzz } from './run.ts';

/** `npm run fuzz` sends any number. */
const requests = 600;

describe('fuzz', () => {
  it('has no findings for any route', async () => {
    const report = await fuzz({ requests, seed: 1 });
    expect(report.findings).toEqual([]);
    expect(report.requests).toBe(requests);
    const routes = allOperations().length;
    expect(report.statuses.size, 'routes that were asked').toBeGreaterThan(routes * 0.9);
  });
});
