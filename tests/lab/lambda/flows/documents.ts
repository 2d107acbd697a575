import { expect } from 'vitest';
import {
  change,
  look,
  made,
  newAuthor,
  purge,
  share,
  trash,
} from '../../../support/documents/documents.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { dayMs, type Flows, large, minuteMs, runAll } from './flow.ts';

export const documentFlows: Flows = {
  'a document that lies in the bucket, until it is gone': async () => {
    const ann = await newAuthor();
    const text = large();
    const id = await made(ann, { content: text });
    expect((await look(ann, id)).body.data.content).toBe(text);
    expect((await change(ann, id, { content: large() })).status).toBe(200);
    await trash(ann, id);
    expect((await purge(ann, id)).status).toBe(200);
    pass(2 * dayMs);
    await runAll();
  },
  'a document that was shared, told to its readers': async () => {
    const ann = await newAuthor();
    await share(ann, await made(ann), [(await newPerson()).id]);
    pass(2 * minuteMs);
    await runAll();
  },
  'a document that was in the trash for too long': async () => {
    const ann = await newAuthor();
    await trash(ann, await made(ann, { content: large() }));
    pass(31 * dayMs);
    await runAll();
    pass(2 * dayMs);
    await runAll();
  },
};
