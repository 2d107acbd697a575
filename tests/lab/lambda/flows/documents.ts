import { expect } from 'vitest';
import {
  change,
  diff,
  look,
  made,
  newAuthor,
  purge,
  restoreRevision,
  revision,
  revisions,
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
  'a document with revisions, until it is gone': async () => {
    const ann = await newAuthor();
    const id = await made(ann, { content: large() });
    expect((await change(ann, id, { content: 'Short' })).status).toBe(200);
    expect((await revisions(ann, id)).body.data.items).toHaveLength(1);
    expect((await revision(ann, id, 1)).status).toBe(200);
    expect((await diff(ann, id, 1)).status).toBe(200);
    expect((await restoreRevision(ann, id, 1)).status).toBe(200);
    await trash(ann, id);
    await purge(ann, id);
    pass(2 * minuteMs);
    await runAll();
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
