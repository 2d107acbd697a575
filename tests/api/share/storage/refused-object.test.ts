import { randomBytes } from 'node:crypto';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { frame, open, raw, view } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();

const refused = Object.assign(new Error('Access Denied'), {
  name: 'AccessDenied',
  $fault: 'client' as const,
  $metadata: { httpStatusCode: 403 },
});

/** Too large for the table. */
const large = () => randomBytes(20_000).toString('base64');

let ann: ReturnType<typeof sharesOf>;
beforeEach(async () => {
  ann = sharesOf(await newPerson());
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
