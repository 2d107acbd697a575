import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { userReconciliation } from '../../../../functions/api/users/record/jobs.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { made, newManager } from '../../../support/documents/documents.ts';
import { made as madeFile } from '../../../support/files/files.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { connectSample } from '../../../support/sample-requests/identities.ts';
import { call } from '../../../support/service/call.ts';
import { mailsTo } from '../../../support/service/mail.ts';
import { intakeOf } from '../../../support/shares/intake.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { enterSignInCode, receivedCodes, requestCode } from '../../../support/users/email-codes.ts';
import { keep, leaveNow, weekMs } from '../../../support/users/leaving.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  newVerified,
  register,
} from '../../../support/users/test-users.ts';
import { newWebhook } from '../../../support/webhooks/webhooks.ts';
import { deployment } from '../deployment.ts';
import { runJobs } from '../run-jobs.ts';
import { type Flows, large, minuteMs, runAll } from './flow.ts';

/** Creates a user who can own records of every kind. */
const newOwner = () =>
  newUserOf('user', {
    extraPermissions: ['documents:create', 'files:create', 'messages:create', 'calendar:create'],
  });

export const userFlows: Flows = {
  'mails: an invitation, a verification, and a link to a new password': async () => {
    const { token } = await newManager();
    const email = newEmail();
    const made = await call('POST /api/users', { token, body: { email, name: 'Zoe Example' } });
    expect(made.status).toBe(201);
    const person = await newPerson();
    await call('POST /api/auth/forgot-password', { body: { email: person.email } });
    pass(1_000);
    await runAll();
    expect(await mailsTo(email)).toHaveLength(1);
    expect((await mailsTo(person.email)).map(({ subject }) => subject).toSorted()).toEqual([
      'Reset your Handbill password',
      'Verify your email address',
    ]);
  },
  'a code and a link by email, of which one signs in': async () => {
    const [ann, bob] = [await newVerified(), await newPerson()];
    for (const { email } of [ann, bob]) await requestCode(email);
    pass(1_000);
    await runAll();
    const [forAnn] = await receivedCodes(ann.email);
    const [forBob] = await receivedCodes(bob.email);
    expect((await enterSignInCode({ email: ann.email, code: forAnn?.code })).status).toBe(200);
    expect((await enterSignInCode({ token: forBob?.token })).status).toBe(200);
  },
  'people, found by an ordinary user, also where DIRECTORY is left out': async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const find = async () =>
      (await call('GET /api/users/directory', { token: ann.token, query: { search: bob.email } }))
        .body;
    const found = { success: true, data: [{ id: bob.id, email: bob.email }] };
    expect(await find()).toMatchObject(found);
    const users = deployment().processes.get('users');
    await users?.restart({ without: ['DIRECTORY'] });
    expect(await find()).toMatchObject(found);
    await users?.restart();
    expect((await call('GET /documents', { token: ann.token })).status).toBe(200);
  },
  'an invitation without mail': async () => {
    const { token } = await newManager();
    const users = deployment().processes.get('users');
    await users?.restart({ without: ['MAIL_FROM'] });
    const body = { email: newEmail(), name: 'Zoe Example' };
    const made = await call('POST /api/users', { token, body });
    await users?.restart();
    expect(made.body.invitationUrl ?? JSON.stringify(made.body)).toContain('/invite?token=');
  },
  'a user who is removed, and whose shares and documents go to another': async () => {
    const { token } = await newUserOf('super_admin');
    const ann = await newOwner();
    await made(ann, { content: large() });
    await madeFile(ann);
    await sharesOf(ann).newShare();
    await intakeOf(ann).newRequest();
    const query = { transferTo: String((await newOwner()).id) };
    const params = { id: String(ann.id) };
    expect((await call('DELETE /api/users/{id}', { token, params, query })).status).toBe(200);
    pass(15 * minuteMs);
    await runAll();
  },
  'what removed users have left, done by jobs': async () => {
    for (const transferTo of [undefined, (await newPerson()).id]) {
      const bob = await newOwner();
      await made(bob);
      await madeFile(bob);
      await sharesOf(bob).newShare({ slug: `left-by-${bob.id}` });
      await intakeOf(bob).newRequest();
      // Simulates an interrupted deletion of the user.
      const command = new DeleteCommand({
        TableName: tableName(),
        Key: userKeys.record.at({ id: bob.id }),
      });
      await documentClient().send(command);
      await enqueue(userReconciliation, { userId: bob.id, transferTo });
      await runJobs();
    }
  },
  'a user who is suspended, and may come back': async () => {
    const { token } = await newUserOf('super_admin');
    const ann = await newPerson();
    await sharesOf(ann).newShare();
    const params = { id: String(ann.id) };
    for (const status of ['suspended', 'active']) {
      const response = await call('PUT /api/users/{id}', { token, params, body: { status } });
      expect(response.status).toBe(200);
    }
    pass(15 * minuteMs);
    await runAll();
  },
  'a user who leaves, comes back, and leaves for good': async () => {
    const ann = await newOwner();
    await made(ann);
    await sharesOf(ann).newShare();
    await leaveNow(ann.token);
    const { accessToken } = (await login(ann.email)).body;
    expect((await call('GET /leaving', { token: accessToken })).status).toBe(200);
    expect((await keep(accessToken)).status).toBe(200);
    await leaveNow(accessToken);
    pass(weekMs);
    await runAll();
    pass(15 * minuteMs);
    await runAll();
    expect((await login(ann.email)).status).toBe(401);
  },
  'an administrator with a connected account and a webhook, who leaves for good': async () => {
    // The last one could not leave.
    await newUserOf('super_admin');
    const root = await newUserOf('super_admin');
    await connectSample(root.token);
    await newWebhook(root, { url: 'https://nobody.example.com', events: ['share.create'] });
    await leaveNow(root.token);
    pass(weekMs);
    await runAll();
    pass(15 * minuteMs);
    await runAll();
    expect((await login(root.email)).status).toBe(401);
  },
  'another e-mail address of one’s own': async () => {
    const { token } = await newPerson();
    const body = { email: newEmail(), currentPassword: 'correct horse' };
    expect((await call('PUT /api/users/me', { token, body })).status).toBe(200);
  },
  'who has no account, and who gives a wrong password': async () => {
    const { email } = await newPerson();
    const body = { email, password: 'wrong horse' };
    expect((await call('POST /api/auth/login', { body })).status).toBe(401);
    expect((await login(newEmail())).status).toBe(401);
    expect((await register(email)).status).toBe(409);
  },
};
