import { describe, expect, it, vi } from 'vitest';
import { kindsFor } from '../support/faults/fault.ts';
import { someCellsOf } from '../support/faults/matrix.ts';
import { moreCalls } from '../support/faults/more-requests.ts';
import { testFaults } from '../support/faults/suite.ts';

vi.mock('../../shared/runtime/backoff.ts', () => import('../support/faults/no-pauses.ts'));

/** One fault of each operation that a typical call asks for; `npm run test:faults` tries all of each, and of more calls. */
describe('a request with a fault returns its usual response or 503, and leaves no partial write', async () => {
  const { kinds } = await testFaults((call) => !(call in moreCalls), someCellsOf);

  it('includes every kind of fault', () => {
    const operations = ['TransactWriteItems', 'Query', 'BatchGetItem'];
    const all = operations.flatMap((operation) =>
      kindsFor({ service: 'dynamodb', operation, resource: undefined }),
    );
    expect([...new Set(all)].filter((kind) => !kinds.has(kind))).toEqual([]);
  });
});
