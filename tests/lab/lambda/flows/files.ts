import { expect } from 'vitest';
import {
  complete,
  fetchFile,
  listTrash,
  look,
  madeWithThumbnail,
  newOwner,
  newReader,
  presign,
  purge,
  remove,
  restore,
  sendForm,
  share,
  thumbnail,
  uploadDirect,
} from '../../../support/files/files.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { login } from '../../../support/users/test-users.ts';
import type { AwsRequest } from '../aws-calls.ts';
import { deployment } from '../deployment.ts';
import { runJobs } from '../run-jobs.ts';
import { dayMs, type Flows, runAll } from './flow.ts';

const isCopy = ({ headers }: AwsRequest): boolean => headers['x-amz-copy-source'] !== undefined;

export const fileFlows: Flows = {
  'a file that goes straight to the bucket, and comes from it': async () => {
    const ann = await newOwner();
    const { status, body } = await uploadDirect(ann, 'Hello');
    expect(status).toBe(200);
    const { bytes } = await fetchFile(ann, body.data.id);
    expect(bytes.toString()).toBe('Hello');
    expect((await remove(ann, body.data.id)).status).toBe(200);
    expect((await look(ann, body.data.id)).status).toBe(404);
    pass(2 * dayMs);
    await runAll();
  },
  'an image with a thumbnail and a reader, in the trash, back and gone': async () => {
    const ann = await newOwner();
    const bob = await newReader();
    const id = await madeWithThumbnail(ann);
    expect((await share(ann, id, [bob.id])).status).toBe(200);
    const params = { id: String(id) };
    const { body } = await call('GET /api/files/{id}/readers', { token: ann.token, params });
    expect(body.data).toHaveLength(1);
    expect((await thumbnail(bob, id)).status).toBe(200);
    expect((await remove(ann, id)).status).toBe(200);
    expect((await listTrash(ann)).body.data.items).toHaveLength(1);
    expect((await restore(ann, id)).status).toBe(200);
    expect((await thumbnail(bob, id)).status).toBe(200);
    expect((await remove(ann, id)).status).toBe(200);
    expect((await purge(ann, id)).status).toBe(200);
    await runAll();
  },
  'an upload whose copy within S3 no request waits for, and a job makes': async () => {
    const ann = await newOwner();
    const { data } = (await presign(ann, { size: 5 })).body;
    expect(await sendForm(data, 'Hello')).toBe(201);
    const response = await deployment()
      .proxies.get('files')
      ?.holdUp(isCopy, () => complete(ann, data.id));
    expect(response?.status).toBe(503);
    await runJobs();
    // Sends no further request, because it would complete the upload itself.
    const { bytes } = await fetchFile(ann, data.id);
    expect(bytes.toString()).toBe('Hello');
  },
  'an upload of which nothing came, until it is given up': async () => {
    const ann = await newOwner();
    const { body } = await presign(ann, { size: 5 });
    expect((await complete(ann, body.data.id)).status).toBe(409);
    pass(2 * dayMs);
    await runAll();
    const { accessToken: token } = (await login(ann.email)).body;
    expect((await complete({ token }, body.data.id)).status).toBe(404);
  },
  'an upload that nobody completed': async () => {
    const ann = await newOwner();
    const { body } = await presign(ann, { size: 5 });
    expect(await sendForm(body.data, 'Hello')).toBe(201);
    pass(2 * dayMs);
    await runAll();
    pass(2 * dayMs);
    await runAll();
  },
  'an upload that is not what was announced': async () => {
    const ann = await newOwner();
    const checksum = '0'.repeat(64);
    const { body } = await presign(ann, { size: 5, checksum });
    await sendForm(body.data, 'Hello');
    expect((await complete(ann, body.data.id)).status).toBe(409);
  },
};
