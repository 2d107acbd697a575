import { expect } from 'vitest';
import { call } from '../../../support/service/call.ts';
import { handIn, intakeOf } from '../../../support/shares/intake.ts';
import { content, sharesOf } from '../../../support/shares/requests.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { deployment } from '../deployment.ts';
import type { Flows } from './flow.ts';

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
