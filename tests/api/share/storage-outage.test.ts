import { randomBytes } from 'node:crypto';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { useStoppableBucket } from '../../support/s3/stopped-s3.ts';
import { queuedWork, useJobs } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
const { withoutS3 } = useStoppableBucket();

const { person } = useNewPeople({ person: newPerson });
const ann = sharesOf(person);

/** Too large for the table. */
const large = () => randomBytes(20_000).toString('base64');
const opened = (fields: Readonly<Record<string, string>>) => ({ claim: 'a-nonce', ...fields });

describe('POST /s/{id}/open while S3 is unavailable', () => {
  it('consumes no view of a large share', async () => {
    const id = await ann.newShare({ content: large(), language: 'markdown', viewLimit: 1 });
    const sent = opened({});
    const { status, headers, body } = await withoutS3(() => open(id, sent));
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toContain('Temporarily unavailable');
    expect((await ann.look(id)).body).toMatchObject({ views: 0, status: 'active' });
    expect((await queuedWork()).filter((job) => job.includes(id))).toEqual([]);
    const token = tokenIn(await open(id, sent));
    expect([(await page(id, token)).status, (await raw(id, token)).status]).toEqual([200, 200]);
    expect((await ann.look(id)).body.views).toBe(1);
  });

  it('still handles incorrect passwords, ended shares and repeated submissions', async () => {
    const locked = await ann.newShare({ content: large(), password: 'Abc123' });
    const ended = await ann.newShare({ content: large(), viewLimit: 1 });
    expect((await open(ended, opened({}))).status).toBe(303);
    const responses = await withoutS3(async () => [
      await open(locked, { password: 'wrong1' }),
      await open(ended, { claim: 'another' }),
      await open(ended, opened({})),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([401, 410, 303]);
  });

  it('opens a small share', async () => {
    const id = await ann.newShare({ viewLimit: 1 });
    const response = await withoutS3(() => open(id, opened({})));
    expect(response.status).toBe(303);
    expect((await page(id, tokenIn(response))).status).toBe(200);
  });
});

const refused = Object.assign(new Error('Access Denied'), {
  name: 'AccessDenied',
  $fault: 'client' as const,
  $metadata: { httpStatusCode: 403 },
});

/** Sends a request while S3 refuses to read. */
const refuse = async (send: () => ReturnType<typeof view>) => {
  const s3 = mockClient(S3Client);
  s3.on(GetObjectCommand).rejects(refused);
  const { status, headers } = await send();
  s3.restore();
  return [status, headers['retry-after']];
};

describe('a reader of a share whose object S3 refuses to read', () => {
  it.each([
    ['by the API', view],
    ['by its page', (id: string) => open(id, { claim: 'a-nonce' })],
  ])('is asked to come back, and uses no view: %s', async (_, send) => {
    const id = await ann.newShare({ content: large(), viewLimit: 1 });
    expect(await refuse(() => send(id))).toEqual([503, '1']);
    expect((await view(id)).status).toBe(200);
  });

  it.each([
    ['by its raw text', raw],
    ['by its frame', frame],
  ])('is asked to come back: %s', async (_, send) => {
    const id = await ann.newShare({ content: large() });
    expect(await refuse(() => send(id))).toEqual([503, '1']);
    expect((await send(id)).status).toBe(200);
  });
});
