import { describe, expect, it, vi } from 'vitest';
import { answerReads, mockTable, passingErrors, signedIn } from '../../support/aws/errors.ts';
import { legacy } from '../../support/mcp/messages.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');

const failure = (status: number, code: string, message: string) => ({
  status,
  body: {
    jsonrpc: '2.0',
    error: { code: -32_603, message, data: { code, requestId: expect.any(String) } },
  },
});

describe('POST /mcp', () => {
  it.each(passingErrors())(
    'asks for another attempt, not for a sign-in, after %s',
    async (_, error) => {
      const { token } = await signedIn();
      mockTable().rejects(error);
      const answer = await legacy(token, 'ping');
      const message = 'The service is temporarily unavailable. Try again.';
      expect(answer).toMatchObject(failure(503, 'SERVICE_UNAVAILABLE', message));
      expect(answer.headers).toMatchObject({ 'retry-after': '1' });
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    },
  );

  it('says nothing of an unexpected error', async () => {
    const { token } = await signedIn();
    mockTable().rejects(new Error('arn:aws:dynamodb:eu-west-1:123456789012:table/handbill-test'));
    const answer = await legacy(token, 'ping');
    expect(answer).toMatchObject(failure(500, 'INTERNAL_ERROR', 'Internal server error.'));
    expect(JSON.stringify(answer)).not.toMatch(/arn:aws|123456789012|handbill-test/);
  });

  it('answers while the rate limiter fails', async () => {
    const { token, items } = await signedIn();
    const table = mockTable();
    table.rejects(passingErrors()[0]?.[1]);
    answerReads(table, items);
    expect(await legacy(token, 'ping')).toMatchObject({ status: 200, body: { result: {} } });
  });
});
