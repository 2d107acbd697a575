import { describe, vi } from 'vitest';
import { cellsOf, outagesOf } from '../../support/faults/matrix.ts';
import { testFaults } from '../../support/faults/suite.ts';

vi.mock(
  '../../../../shared/runtime/backoff.ts',
  () => import('../../../support/faults/no-pauses.ts'),
);

describe('a request with a fault returns its usual response or 503, and leaves no partial write', async () => {
  await testFaults(
    (call) => call.startsWith('GET '),
    (_, asked) => [...cellsOf(asked), ...outagesOf(asked)],
  );
});
