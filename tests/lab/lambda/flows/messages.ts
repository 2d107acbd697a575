import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  listed,
  look,
  newWriter,
  notificationsOf,
  sent,
} from '../../../support/messages/messages.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { signInAgain } from '../../../support/users/use-people.ts';
import { runJobs } from '../run-jobs.ts';
import { dayMs, type Flows, large, minuteMs, runAll } from './flow.ts';

/** Every ten minutes there is a look at what is kept no longer. */
const everyMs = 10 * minuteMs;

export const messageFlows: Flows = {
  'a message that lies in the bucket': async () => {
    const [ann, bob] = [await newWriter(), await newWriter('Bob Writer')];
    const content = randomBytes(40_000).toString('base64');
    const id = await sent(ann, [bob], { content });
    expect((await look(bob, id)).body.data.content).toBe(content);
    expect((await listed(bob)).ids).toEqual([id]);
  },
  'messages that are kept no longer': async () => {
    const [ann, bob] = [await newWriter(), await newWriter('Bob Writer')];
    await sent(ann, [bob], { content: large() });
    await sent(bob, [ann]);
    pass(367 * dayMs);
    pass(everyMs - (Date.now() % everyMs));
    await runAll();
    expect((await listed(await signInAgain(bob))).ids).toEqual([]);
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
