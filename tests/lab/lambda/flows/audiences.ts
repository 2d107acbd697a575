import { expect } from 'vitest';
import { pass } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { handIn, intakeOf } from '../../../support/shares/intake.ts';
import { receivedOf } from '../../../support/shares/received.ts';
import { content, sharesOf } from '../../../support/shares/requests.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { deployment } from '../deployment.ts';
import { type Flows, minuteMs, runAll } from './flow.ts';

/** The functions that decide who can open a share. */
const deciding = ['share', 'share-page', 'snippet'];

/** Restarts them with changed settings; without any, with their own. */
const restart = (set: Readonly<Record<string, string>> = {}) =>
  Promise.all(deciding.map((name) => deployment().processes.get(name)?.restart({ set })));

/** Opens a share as its reader does: by the API, and on its page with the frame. */
const readAs = async (token: string, id: string): Promise<void> => {
  const byApi = await call('GET /api/share', { token, query: { id } });
  expect(byApi.body.content).toBe(content);
  const page = await call('GET /s/{id}', { token, params: { id } });
  const [, view = ''] = String(page.body).match(/\?view=([^"&]+)/) ?? [];
  const frame = await call('GET /{id}', { params: { id }, query: { view } });
  expect(frame.body).toContain(content);
};

export const audienceFlows: Flows = {
  'a share for someone who is named by address': async () => {
    const [owner, bob] = [await newPerson(), await newPerson()];
    const id = await sharesOf(owner).newShare({ readers: [bob.email] });
    await readAs(bob.token, id);
    expect((await call('GET /api/share', { query: { id } })).status).toBe(401);
  },
  'a share for members, where strangers can’t register': async () => {
    const [owner, bob] = [await newPerson(), await newPerson()];
    await restart({ REGISTRATION: 'invite' });
    const id = await sharesOf(owner).newShare({ audience: 'members' });
    await readAs(bob.token, id);
    const his = receivedOf(bob);
    const short = { title: 'Short', audience: 'members', expiresIn: 60 };
    await sharesOf(owner).newShare(short);
    expect(await his.titles()).toContain('Short');
    expect((await his.unlist(id)).status).toBe(200);
    // Their content and their entries are deleted, and the marks of what isn't for members any more.
    pass(10 * minuteMs);
    expect((await sharesOf(owner).put(id, { audience: 'private' })).status).toBe(200);
    expect((await sharesOf(owner).put(id, { audience: 'members' })).status).toBe(200);
    await runAll();
    expect(await his.titles()).not.toContain('Short');
    await restart();
    const asBob = { token: bob.token, query: { id } };
    expect((await call('GET /api/share', asBob)).status).toBe(404);
  },
  'what was handed in, for members while strangers can’t register': async () => {
    const owner = await newPerson();
    const ann = intakeOf(owner);
    const id = await ann.newRequest();
    await handIn(id);
    const [{ share }] = (await ann.get(id)).body.submitted;
    await restart({ REGISTRATION: 'invite' });
    const changed = await sharesOf(owner).put(share.id, { audience: 'members' });
    await restart();
    expect(changed.body.audience).toBe('members');
    expect((await ann.get(id)).body.submitted[0].share.audience).toBe('private');
  },
};
