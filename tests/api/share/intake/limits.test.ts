import { describe, expect, it } from 'vitest';
import { formOf, multipartType } from '../../../support/files/files.ts';
import { statusesOf, times, useLimitedService } from '../../../support/service/limited-service.ts';
import { filledIn, intakeOf } from '../../../support/shares/intake.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

useTable();
const { moveTo, send } = useLimitedService();

const post = (id: string, fields: Readonly<Record<string, string>>) =>
  send(`POST /r/${id}`, {
    headers: multipartType,
    body: formOf(
      ...Object.entries(fields).map(([name, content]) => ({ name, content })),
    ).toString(),
  });

describe('what a network hands in', () => {
  it('is limited to 10 forms an hour, and the form keeps what was typed beyond that', async () => {
    const id = await intakeOf(await newPerson()).newRequest({ submissions: 20 });
    const handIn = (fields: object = {}) => post(id, { ...filledIn(), ...fields });
    expect(await statusesOf(10, () => handIn())).toEqual(times(10, 303));
    const refused = await handIn({ text: 'Much that was typed' });
    expect(refused.status).toBe(429);
    expect(refused.headers['ratelimit']).toBe('"share-submission";r=0;t=360');
    expect(refused.headers['retry-after']).toBe('360');
    expect(refused.text).toContain('Too many requests. Try again in 6 minutes.');
    expect(refused.text).toContain('Much that was typed</textarea>');
    moveTo();
    expect((await handIn()).status).toBe(303);
  });
});

describe('the password of a request', () => {
  it('can be wrong 5 times in 10 minutes for a network, and mistakes in the form are no tries', async () => {
    const her = intakeOf(await newPerson());
    const id = await her.newRequest({ password: 'Sesam1', submissions: 20 });
    const { text } = await post(id, { password: 'Sesam1' });
    const [, pass = ''] = text.match(/name="pass" value="([^"]+)"/) ?? [];
    expect(await statusesOf(6, () => post(id, { ...filledIn(), pass, text: '' }))).toEqual(
      times(6, 400),
    );
    const wrong = () => post(id, { password: 'Sesam2' });
    expect(await statusesOf(6, wrong)).toEqual([...times(5, 401), 429]);
    expect((await post(id, { password: 'Sesam1' })).status).toBe(429);
    expect((await post(id, { ...filledIn(), pass })).status).toBe(303);
    moveTo();
    expect((await post(id, { password: 'Sesam1' })).status).toBe(200);
  });
});
