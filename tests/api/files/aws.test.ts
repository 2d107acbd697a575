import { describe, expect, it, vi } from 'vitest';
import { completeInBackground } from '../../../functions/api/files/uploads/direct-upload.ts';
import { passingErrors } from '../../support/aws/errors.ts';
import { failConditions, type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { complete, presign, purge, remove, sendForm, upload } from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const service = useMockedService();
const { watch } = service;
const [[, busy] = []] = passingErrors();

const { ann } = useNewPeople({ ann: 'super_admin' });

/** What S3 throws, as the SDK does. */
const s3Error = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode, attempts: 1 } });
const failing = (command: string, error: Error) => (one: Sent) =>
  one.name === command ? error : undefined;
const count = (sent: readonly Sent[], name: string) =>
  sent.filter((one) => one.name === name).length;
/** The leases of a copy: until when each write lets it last, in ms from now. */
const leases = (sent: readonly Sent[]) =>
  sent
    .filter(({ name }) => name === 'Update')
    .flatMap(({ input }) => input.ExpressionAttributeValues[':until'] ?? [])
    .map((until) => Date.parse(until) - Date.now());

/** Uploads the bytes of a file directly. */
const begin = async (): Promise<number> => {
  const { body } = await presign(ann, { size: 5 });
  expect(await sendForm(body.data, 'Hello')).toBe(201);
  return body.data.id;
};

describe('POST /api/files/{id}/complete', () => {
  it.each([
    ['NotFound', 404, 409],
    ['Forbidden', 403, 503],
    ['403', 403, 503],
  ])('responds to %s of HEAD with %i', async (name, status, expected) => {
    const id = await begin();
    const error = s3Error(name, status);
    const { result, sent } = await watch(() => complete(ann, id), failing('HeadObject', error));
    expect([result.status, leases(sent), count(sent, 'TransactWrite')]).toEqual([expected, [], 0]);
  });

  it.each(['PreconditionFailed', 'NoSuchKey'])(
    'returns 409 and releases the lease if S3 responds to the copy with %s',
    async (name) => {
      const id = await begin();
      const error = s3Error(name, 412);
      const { result, sent } = await watch(() => complete(ann, id), failing('CopyObject', error));
      expect([result.status, leases(sent), count(sent, 'TransactWrite')]).toEqual([
        409,
        [16_000, 0],
        0,
      ]);
    },
  );

  it.each(['AbortError', 'TimeoutError'])(
    'leaves a copy that ends in %s to one job, with its lease',
    async (name) => {
      const id = await begin();
      const error = s3Error(name, 0);
      const { result, sent } = await watch(() => complete(ann, id), failing('CopyObject', error));
      expect([result.status, result.headers['retry-after']]).toEqual([503, '1']);
      expect([count(sent, 'CopyObject'), count(sent, 'SendMessage'), leases(sent)]).toEqual([
        1,
        1,
        [16_000, 120_000],
      ]);
      const again = await watch(() => complete(ann, id));
      expect([again.result.status, count(again.sent, 'CopyObject')]).toEqual([503, 0]);
      pass(120_001);
      expect((await complete(ann, id)).status).toBe(200);
    },
  );

  it('copies nothing if its lease or the deletion of the copy can’t be stored', async () => {
    const id = await begin();
    for (const command of ['Update', 'Put']) {
      const { result, sent } = await watch(
        () => complete(ann, id),
        (one) => (one.name === command && leases([one])[0] !== 0 ? busy : undefined),
      );
      expect([result.status, count(sent, 'CopyObject'), leases(sent).at(-1)]).toEqual([503, 0, 0]);
    }
  });

  it('deletes a copy with the wrong checksum', async () => {
    const { body } = await presign(ann, { size: 5, checksum: 'a'.repeat(64) });
    await sendForm(body.data, 'Hello');
    const { result, sent } = await watch(() => complete(ann, body.data.id));
    expect([result.status, leases(sent).at(-1), count(sent, 'TransactWrite')]).toEqual([409, 0, 0]);
    expect(count(sent, 'DeleteObject')).toBe(1);
  });
});

describe('completeInBackground', () => {
  it('releases its lease and fails if the copy takes too long', async () => {
    const id = await begin();
    const act = () => completeInBackground({ id }).catch(({ name }) => name);
    const { result, sent } = await watch(act, failing('CopyObject', s3Error('AbortError', 0)));
    expect([result, leases(sent), count(sent, 'SendMessage')]).toEqual([
      'CopyTimeoutError',
      [55_000, 0],
      0,
    ]);
  });

  it('finishes if the object is not as announced', async () => {
    const id = await begin();
    service.respond('HeadObject', () => ({ ContentLength: 4, ETag: '"etag"' }));
    const { sent } = await watch(() => completeInBackground({ id }));
    expect([count(sent, 'CopyObject'), count(sent, 'TransactWrite')]).toEqual([0, 0]);
  });
});

describe('POST /api/files/upload', () => {
  it.each([
    ['SlowDown', 503, 503],
    ['InternalError', 500, 503],
    ['AccessDenied', 403, 500],
  ])('stores no file if S3 responds with %s', async (name, status, expected) => {
    const error = s3Error(name, status);
    const { result, sent } = await watch(() => upload(ann), failing('PutObject', error));
    expect([result.status, count(sent, 'TransactWrite')]).toEqual([expected, 0]);
  });

  it('returns 413 if concurrent uploads have used the quota up', async () => {
    const used = 1024 ** 3 - 4;
    const full = failConditions(/ FILES#USAGE$/, { item: () => ({ used, files: 1 }) });
    const { result } = await watch(() => upload(ann), full);
    expect([result.status, result.body.error.message]).toEqual([
      413,
      'Storage quota exceeded: 4 bytes of 1 GB free.',
    ]);
  });
});

describe('DELETE /api/files/trash/{id}', () => {
  it.each(['SlowDown', 'AccessDenied'])('keeps the record if S3 responds with %s', async (name) => {
    const { id } = (await upload(ann)).body.data;
    await remove(ann, id);
    const { result, sent } = await watch(
      () => purge(ann, id),
      failing('DeleteObject', s3Error(name, 503)),
    );
    expect([result.status, count(sent, 'Delete')]).toEqual([503, 0]);
  });
});
