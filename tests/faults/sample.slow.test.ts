import { describe, expect, it, vi } from 'vitest';
import { kindsFor } from '../support/faults/fault.ts';
import { someCellsOf } from '../support/faults/matrix.ts';
import { moreCalls } from '../support/faults/more-requests.ts';
import { testFaults } from '../support/faults/suite.ts';

vi.mock('../../shared/runtime/backoff.ts', () => import('../support/faults/no-pauses.ts'));

/** Tests one fault per operation of each typical call; `npm run test:faults` tests all faults and more calls. */
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
