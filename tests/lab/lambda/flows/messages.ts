import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  listed,
  look,
  newWriter,
  notificationsOf,
  sent,
} from '../../../support/messages/messages.ts';
import { runJobs } from '../run-jobs.ts';
import type { Flows } from './flow.ts';

export const messageFlows: Flows = {
  'a message that lies in the bucket': async () => {
    const [ann, bob] = [await newWriter(), await newWriter('Bob Writer')];
    const content = randomBytes(40_000).toString('base64');
    const id = await sent(ann, [bob], { content });
    expect((await look(bob, id)).body.data.content).toBe(content);
    expect((await listed(bob)).ids).toEqual([id]);
  },
  'a message that comes in by a look at notifications': async () => {
    const ann = await newWriter();
    // More recipients than one transaction has copies for.
    const recipients = await Promise.all(Array.from({ length: 18 }, () => newWriter('Bob Writer')));
    await sent(ann, recipients);
    const [bob = ann, ...others] = recipients;
    expect(await notificationsOf(bob)).toHaveLength(1);
    await runJobs();
    for (const other of others) expect(await notificationsOf(other)).toHaveLength(1);
  },
};
