import { createHash } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import {
  accessDenied,
  answerReads,
  mockTable,
  passingErrors,
  secretWords,
  signedIn,
} from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const secret = 's'.repeat(43);
const token = `7.${secret}`;
const hash = createHash('sha256').update(`undo-email ${secret}`).digest('base64url');

const send = () => call('POST /undo-email', { body: new URLSearchParams({ token }).toString() });
const look = () => call('GET /undo-email', { query: { token } });

beforeEach(async () => {
  table.reset();
  const now = Date.now();
  const { user } = await signedIn({
    formerEmails: [
      {
        id: 'change',
        email: 'ann@example.org',
        changedAt: new Date(now).toISOString(),
        until: new Date(now + 60_000).toISOString(),
      },
    ],
  });
  const undo = { ...accountKeys.emailUndo.at({ userId: 7, hash }), changeId: 'change' };
  answerReads(table, [{ ...userKeys.record.at({ id: 7 }), ...user }, undo]);
});

describe('/undo-email', () => {
  it.each(passingErrors())('returns the busy page after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    const sent = await send();
    table.onAnyCommand().rejects(error);
    for (const { status, body } of [sent, await look()]) {
      expect([status, body]).toEqual([503, expect.stringContaining('temporarily unavailable')]);
    }
  });

  it('hides the AWS message about a missing grant', async () => {
    table.on(TransactWriteCommand).rejects(accessDenied());
    const { status, body } = await send();
    expect(status).toBe(500);
    for (const word of secretWords) expect(body).not.toContain(word);
  });
});
