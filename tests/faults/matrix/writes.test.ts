import { describe, vi } from 'vitest';
import { cellsOf, outagesOf } from '../../support/faults/matrix.ts';
import { testFaults } from '../../support/faults/suite.ts';

vi.mock('../../../shared/runtime/backoff.ts', () => import('../../support/faults/no-pauses.ts'));

describe('answers as without a fault, or that the service is busy, and leaves nothing half done', async () => {
  await testFaults(
    (call) => !call.startsWith('GET '),
    (_, asked) => [...cellsOf(asked), ...outagesOf(asked)],
  );
});
