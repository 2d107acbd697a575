import { randomBytes } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword } from '../../../functions/api/share/record/share-password.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  broken,
  mockTable,
  secretWords,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { type CallOptions, call } from '../../support/service/call.ts';
import { shareId as id, shareItems } from '../../support/shares/items.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const bucket = mockClient(S3Client);
const queue = mockClient(SQSClient);
const aText = expect.any(String);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const secret = 'aB3dE6';
const content = `The content is nobody's business: ${randomBytes(15_000).toString('base64')}`;

beforeEach(() => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) vi.spyOn(getLogger(), level);
  table.reset();
  bucket.reset();
  queue.reset();
  queue.on(SendMessageCommand).resolves({});
  table.on(PutCommand).resolves({});
  table.on(TransactWriteCommand).resolves({});
});
afterEach(() => void vi.restoreAllMocks());

const logged = (): string =>
  JSON.stringify(
    (['debug', 'info', 'warn', 'error'] as const).map(
      (level) => vi.mocked(getLogger()[level]).mock.calls,
    ),
  );

/** A limited share of user 7 with this password and content in the bucket. */
const hold = async () => {
  const password = await hashPassword(secret);
  const texts = { id: 'first-texts', place: 'bucket', parts: [] } as const;
  const root = await signedIn({ role: 'super_admin' });
  const items = shareItems({ password, viewLimit: 3, texts }, { passwordId: password.id });
  answerReads(table, [...root.items, ...items]);
  const access = items.find(({ sk }) => sk === 'VIEWS');
  table.on(UpdateCommand).resolves({ Attributes: { ...access, views: 1 } });
  return { token: root.token, password };
};

const body = { content, password: secret };
const read: CallOptions = { query: { id }, headers: { 'x-share-password': secret } };

/** The failing call for each endpoint that makes it. */
const failures: readonly (readonly [string, string, CallOptions, () => unknown])[] = [
  ['POST /api/share', 'TransactWriteItems', { body }, () => table.on(TransactWriteCommand)],
  ['POST /api/share', 'PutObject', { body }, () => bucket.on(PutObjectCommand)],
  ['GET /api/share', 'UpdateItem', read, () => table.on(UpdateCommand)],
  ['GET /api/share', 'BatchGetItem', read, () => table.on(BatchGetCommand)],
  ['GET /api/share', 'GetObject', read, () => bucket.on(GetObjectCommand)],
  [
    'PUT /api/share/{id}',
    'GetObject',
    { body: { password: 'Zy9Xw8', content: 'Another' } },
    () => bucket.on(GetObjectCommand),
  ],
  ['DELETE /api/share/{id}', 'TransactWriteItems', {}, () => table.on(TransactWriteCommand)],
  [
    'POST /api/share/{id}/report',
    'TransactWriteItems',
    { body: { reason: 'Not allowed' } },
    () => table.on(TransactWriteCommand),
  ],
  [
    'PUT /api/shares/{id}/decision',
    'TransactWriteItems',
    { body: { decision: 'take-down' } },
    () => table.on(TransactWriteCommand),
  ],
];

describe('a missing IAM permission', () => {
  it.each(failures)(
    'in %s at %s is reported and logged without a secret',
    async (endpoint, _, options, at) => {
      const { token, password } = await hold();
      (at() as { rejects(error: Error): void }).rejects(accessDenied());
      const asked = { params: { id }, ...options };
      // Signed-in users are read from the table as well.
      const isRead = endpoint === 'GET /api/share';
      const response = await call(endpoint, isRead ? asked : { ...asked, token });
      expect(told(response)).toEqual(broken(aText));
      const failed = vi
        .mocked(getLogger().error)
        .mock.calls.filter(([text]) => text === 'Request failed');
      expect(failed).toHaveLength(1);
      const text = JSON.stringify(response) + logged();
      const hash = Buffer.from(password.hash).toString('base64');
      for (const word of [...secretWords, secret, 'Zy9Xw8', hash, "nobody's business"]) {
        expect(text).not.toContain(word);
      }
    },
  );

  it('returns an error page with the request id', async () => {
    await hold();
    table.on(UpdateCommand).rejects(accessDenied());
    const { status, body: page } = await call('POST /s/{id}/open', {
      params: { id },
      body: `password=${secret}&claim=a-nonce`,
      headers: form,
    });
    expect(status).toBe(500);
    expect(page).toMatch(/Request ID: [\da-f-]{36}/);
    const text = page + logged();
    for (const word of [...secretWords, secret]) expect(text).not.toContain(word);
  });
});

it('never returns stored password data to any caller', async () => {
  const { token, password } = await hold();
  bucket.on(GetObjectCommand).rejects(accessDenied());
  const responses = [
    await call('GET /api/share', read),
    await call('GET /api/share', { query: { id, password: 'wrong1' } }),
    await call('GET /s/{id}', { params: { id } }),
    await call('PUT /api/shares/{id}/decision', {
      token,
      params: { id },
      body: { decision: 'keep' },
    }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([500, 401, 200, 200]);
  const text = JSON.stringify(responses) + logged();
  for (const bytes of [password.hash, password.salt]) {
    expect(text).not.toContain(Buffer.from(bytes).toString('base64'));
    expect(text).not.toContain(JSON.stringify(bytes));
  }
  expect(text).not.toContain(password.id);
});
