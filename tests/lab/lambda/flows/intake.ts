import { expect } from 'vitest';
import { pass } from '../../../support/run/virtual-time.ts';
import { handIn, intakeOf, reportRequest, send, visit } from '../../../support/shares/intake.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { dayMs, type Flows, large, minuteMs, runAll } from './flow.ts';

export const intakeFlows: Flows = {
  'a request with a password, and what is handed in, which lies in the bucket': async () => {
    const person = await newPerson();
    const [ann, hers] = [intakeOf(person), sharesOf(person)];
    const id = await ann.newRequest({ password: 'Sesam1', submissions: 2 });
    expect((await visit(id)).status).toBe(200);
    const { body } = await send(id, { fields: { password: 'Sesam1' } });
    const [, pass_ = ''] = body.match(/name="pass" value="([^"]+)"/) ?? [];
    expect((await handIn(id, { pass: pass_ }, { 'all.log': large() })).status).toBe(303);
    pass(2 * minuteMs);
    await runAll();
    const [{ share }] = (await ann.get(id)).body.submitted;
    expect((await hers.end(share.id)).status).toBe(200);
    expect((await ann.put(id, { title: 'All logs', expiresIn: 3_600 })).status).toBe(200);
    expect((await ann.list()).body.total).toBe(1);
    expect((await ann.remove(id)).status).toBe(200);
    pass(2 * dayMs);
    await runAll();
  },
  'a reported request, told to those who decide': async () => {
    const id = await intakeOf(await newPerson()).newRequest();
    expect((await reportRequest(id)).status).toBe(303);
    pass(2 * minuteMs);
    await runAll();
  },
};
