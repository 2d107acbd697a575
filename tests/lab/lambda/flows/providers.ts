import { expect } from 'vitest';
import { addSamplePerson } from '../../../support/issuer/sample-issuer.ts';
import { connectSample } from '../../../support/sample-requests/identities.ts';
import { returning } from '../../../support/sample-requests/provider-sign-in.ts';
import { call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { changeUser, readUser } from '../../../support/users/administration.ts';
import { newResetToken } from '../../../support/users/links.ts';
import { newPerson, newUserOf, newVerified } from '../../../support/users/test-users.ts';
import type { Flows } from './flow.ts';

const roleOf = async (root: { readonly token: string }, id: number): Promise<string> =>
  (await readUser(root, id)).body.data.role;

export const providerFlows: Flows = {
  'a person of a provider, whose account is connected and gets the role of a group': async () => {
    const [root, ann] = [await newUserOf('super_admin'), await newVerified()];
    const person = addSamplePerson(ann.email, ['admins']);
    expect((await (await returning(person))()).status).toBe(200);
    expect(await roleOf(root, ann.id)).toBe('admin');
    expect((await changeUser(root, ann.id, { role: 'super_admin' })).status).toBe(200);
    expect((await (await returning(person))()).status).toBe(200);
    expect(await roleOf(root, ann.id)).toBe('admin');
  },
  'a connected account, which ends with the first proof of an address and with its user':
    async () => {
      const [bob, eve] = [await newPerson(), await newPerson()];
      for (const { token } of [bob, eve]) await connectSample(token);
      const fields = { password: 'battery staple', confirmPassword: 'battery staple' };
      const token = await newResetToken(bob.id);
      expect((await call('POST /reset', form({ token, ...fields }))).status).toBe(303);
      const root = await newUserOf('super_admin');
      const params = { id: String(eve.id) };
      expect((await call('DELETE /api/users/{id}', { token: root.token, params })).status).toBe(
        200,
      );
    },
};
