import { expect } from 'vitest';
import {
  complete,
  fetchFile,
  look,
  newOwner,
  presign,
  remove,
  sendForm,
  uploadDirect,
} from '../../support/files.ts';
import { login } from '../../support/people.ts';
import { pass } from '../../support/virtual-time.ts';
import { dayMs, type Flows, runAll } from './flow.ts';

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
