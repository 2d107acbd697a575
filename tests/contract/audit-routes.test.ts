import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hosts, listRoutes } from '../../functions/routes.ts';
import { auditActionTexts } from '../../shared/audit/action-texts.ts';
import type { Host } from '../../shared/http/host.ts';
import { allow, exchange, newClient } from '../support/apps/apps.ts';
import {
  beginConnecting,
  connectNew,
  disconnect,
  whileProvidersAreSet,
} from '../support/identities/identities.ts';
import { modern } from '../support/mcp/messages.ts';
import { findLeaks } from '../support/run/secrets.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { appCalls } from '../support/sample-requests/apps.ts';
import { calendarCalls } from '../support/sample-requests/calendar.ts';
import { calendarFeedCalls } from '../support/sample-requests/calendar-feed.ts';
import { documentCalls } from '../support/sample-requests/documents.ts';
import { exportCalls } from '../support/sample-requests/exports.ts';
import { fileCalls } from '../support/sample-requests/files.ts';
import { messageCalls } from '../support/sample-requests/messages.ts';
import { notificationCalls } from '../support/sample-requests/notifications.ts';
import { oauthClientCalls } from '../support/sample-requests/oauth-clients.ts';
import { passkeyCalls } from '../support/sample-requests/passkeys.ts';
import { saleCalls } from '../support/sample-requests/sales.ts';
import { webhookCalls } from '../support/sample-requests/webhooks.ts';
import { type Entry, entries, entriesAbout } from '../support/service/audit.ts';
import { type Answer, call } from '../support/service/call.ts';
import { newFailedJob } from '../support/service/failed-job.ts';
import { form } from '../support/service/form.ts';
import { useJobs } from '../support/service/jobs.ts';
import { useMail, whileMailIsOn } from '../support/service/mail.ts';
import { askCode, enterCode, plantCode } from '../support/shares/codes.ts';
import { site, startUpload } from '../support/shares/files.ts';
import { handIn, intakeOf, reportRequest } from '../support/shares/intake.ts';
import { receivedOf } from '../support/shares/received.ts';
import { endAsReader, linksOf, revisionsOf } from '../support/shares/requests.ts';
import { itemsOf, useTable } from '../support/table/table.ts';
import {
  changeEmail,
  forgotPassword,
  freshPassword,
  resetPassword,
} from '../support/users/account.ts';
import { codeOf } from '../support/users/authenticator.ts';
import {
  enterSignInCode,
  plantSignInCode,
  requestCode,
  whileEmailSignInIsOn,
} from '../support/users/email-codes.ts';
import {
  beginTotp,
  confirmTotp,
  firstStep,
  newTotpUser,
  reauthenticate,
  removeTotp,
  renewCodes,
  secondStep,
} from '../support/users/factors.ts';
import { keep, leave } from '../support/users/leaving.ts';
import {
  newInvitationToken,
  newResetToken,
  newUndoToken,
  newVerificationToken,
} from '../support/users/links.ts';
import { changeRole, createRole, deleteRole, newRole } from '../support/users/roles.ts';
import {
  login,
  newEmail,
  newInvited,
  newPerson,
  newUserOf,
  newVerified,
  type Person,
  password,
  register,
} from '../support/users/test-users.ts';
import { usePeople } from '../support/users/use-people.ts';

useTable();
useJobs();
useBucket();
useMail();
beforeAll(() => {
  delete process.env['MAIL_FROM'];
});
afterEach(() => {
  vi.useRealTimers();
});

const changing = (Object.keys(hosts) as Host[])
  .flatMap(listRoutes)
  .filter(({ method }) => method !== 'GET');

/** Sends a request whose audit entry is checked, after its preparation. */
type Prepared = () => Promise<Answer>;

const { root } = usePeople({ root: 'super_admin' });

const params = (id: unknown) => ({ params: { id: String(id) } });
/** Creates a user with a request, and returns the requests about it. */
const newRequest = async () => {
  const her = intakeOf(await newPerson());
  return { ...her, id: await her.newRequest() };
};

const newPasswords = { password: freshPassword, confirmPassword: freshPassword };

const newShare = async (fields: object = {}): Promise<Person & { readonly shareId: string }> => {
  const person = await newPerson();
  const body = { content: '# Hi', title: 'Hi', ...fields };
  const response = await call('POST /api/share', { token: person.token, body });
  return { ...person, shareId: response.body.id };
};

/** Creates a recipient link that asks for a code. */
const newAsking = async () => {
  const { token, shareId } = await newShare();
  const body = { email: 'mei@example.com', verify: true };
  const { id } = (await whileMailIsOn(() => linksOf({ token }).addLink(shareId, body))).body;
  return { link: String(id) };
};

/** A successful request of each route that changes something. */
const successes: Readonly<Record<string, () => Promise<Prepared>>> = {
  ...Object.fromEntries(
    Object.entries({
      ...documentCalls,
      ...fileCalls,
      ...messageCalls,
      ...notificationCalls,
      ...calendarCalls,
      ...calendarFeedCalls,
      ...saleCalls,
      ...appCalls,
      ...exportCalls,
      ...oauthClientCalls,
      ...passkeyCalls,
      ...webhookCalls,
    }).filter(([name]) => !/^GET| \(/.test(name)),
  ),
  'POST /api/auth/register': async () => {
    const body = { email: newEmail(), name: 'Ann', password, confirmPassword: password };
    return () => call('POST /api/auth/register', { body });
  },
  'POST /api/auth/login': async () => {
    const { email } = await newPerson();
    return () => login(email);
  },
  'POST /api/auth/mfa': async () => {
    const { email, codes } = await newTotpUser();
    const mfaToken = await firstStep(email);
    return () => secondStep(mfaToken, codes[0]);
  },
  'POST /second-factor': async () => {
    const { email, codes } = await newTotpUser();
    const mfaToken = await firstStep(email);
    return () => call('POST /second-factor', form({ mfaToken, code: codes[0] ?? '' }));
  },
  'POST /api/auth/reauthenticate': async () => {
    const { token, codes } = await newTotpUser();
    return () => reauthenticate(token, { code: codes[0] });
  },
  'POST /api/auth/totp': async () => {
    const { token } = await newPerson();
    return () => beginTotp(token);
  },
  'POST /api/auth/totp/confirm': async () => {
    const { token } = await newPerson();
    const { secret } = (await beginTotp(token)).body.data;
    return () => confirmTotp(token, codeOf(secret));
  },
  'DELETE /api/auth/totp': async () => {
    const { token } = await newTotpUser();
    return () => removeTotp(token);
  },
  'POST /api/auth/recovery-codes': async () => {
    const { token } = await newTotpUser();
    return () => renewCodes(token);
  },
  'POST /api/auth/identities/{provider}': async () => {
    const { token } = await newPerson();
    return () => whileProvidersAreSet(() => beginConnecting(token));
  },
  'DELETE /api/auth/identities/{provider}': async () => {
    const { token } = await newPerson();
    await connectNew(token);
    return () => whileProvidersAreSet(() => disconnect(token));
  },
  // A refresh is audited only when it ends a session.
  'POST /api/auth/refresh': async () => {
    const { refreshToken } = await newPerson();
    const refresh = (token: string) =>
      call('POST /api/auth/refresh', { body: { refreshToken: token } });
    const { body } = await refresh(refreshToken);
    await refresh(body.refreshToken);
    return async () => ({ ...(await refresh(refreshToken)), status: 200 });
  },
  // So is an exchange of a code.
  'POST /oauth/token': async () => {
    const allowed = await allow(await newPerson(), await newClient());
    await exchange(allowed);
    return async () => ({ ...(await exchange(allowed)), status: 200 });
  },
  'POST /api/auth/logout': async () => {
    const { token } = await newPerson();
    return () => call('POST /api/auth/logout', { token });
  },
  'POST /api/auth/login/email': async () => {
    const { email } = await newPerson();
    return () => whileEmailSignInIsOn(() => requestCode(email));
  },
  'POST /api/auth/login/email/code': async () => {
    const user = await newVerified();
    const { code } = await plantSignInCode(user);
    return () => whileEmailSignInIsOn(() => enterSignInCode({ email: user.email, code }));
  },
  'POST /api/auth/forgot-password': async () => {
    const { email } = await newPerson();
    return () => forgotPassword(email);
  },
  'POST /api/auth/reset-password': async () => {
    const { id } = await newPerson();
    const token = await newResetToken(id);
    return () => resetPassword(token);
  },
  'POST /reset': async () => {
    const token = await newResetToken((await newPerson()).id);
    return () => call('POST /reset', form({ token, ...newPasswords }));
  },
  'POST /api/auth/send-verification': async () => {
    const { token } = await newPerson();
    return () => whileMailIsOn(() => call('POST /api/auth/send-verification', { token }));
  },
  'POST /api/auth/verify-email': async () => {
    const { id, token } = await newPerson();
    const link = await newVerificationToken(id);
    return () => call('POST /api/auth/verify-email', { token, body: { token: link } });
  },
  'DELETE /api/auth/pending-email': async () => {
    const { token } = await newPerson();
    await whileMailIsOn(() => changeEmail(token));
    return () => call('DELETE /api/auth/pending-email', { token });
  },
  'POST /undo-email': async () => {
    const token = await newUndoToken();
    return () => call('POST /undo-email', form({ token }));
  },
  'POST /invite': async () => {
    const token = await newInvitationToken((await newInvited()).id);
    return () => call('POST /invite', form({ token, ...newPasswords }));
  },
  'DELETE /api/auth/sessions/{id}': async () => {
    const { token } = await newPerson();
    const { data } = (await call('GET /api/auth/sessions', { token })).body;
    return () => call('DELETE /api/auth/sessions/{id}', { token, ...params(data[0].id) });
  },
  'POST /api/auth/tokens': async () => {
    const { token } = await newPerson();
    return () => call('POST /api/auth/tokens', { token, body: { name: 'Nightly script' } });
  },
  'DELETE /api/auth/tokens/{id}': async () => {
    const { token } = await newPerson();
    const { data } = (await call('POST /api/auth/tokens', { token, body: { name: 'x' } })).body;
    return () => call('DELETE /api/auth/tokens/{id}', { token, ...params(data.id) });
  },
  'DELETE /api/users/{id}/sessions': async () => {
    const { id } = await newPerson();
    return () => call('DELETE /api/users/{id}/sessions', { token: root.token, ...params(id) });
  },
  'DELETE /api/users/{id}/sessions/{sessionId}': async () => {
    const { id, token } = await newPerson();
    const { data } = (await call('GET /api/auth/sessions', { token })).body;
    return () =>
      call('DELETE /api/users/{id}/sessions/{sessionId}', {
        token: root.token,
        params: { id: String(id), sessionId: data[0].id },
      });
  },
  'DELETE /api/users/{id}/factors': async () => {
    const { id } = await newTotpUser();
    return () => call('DELETE /api/users/{id}/factors', { token: root.token, ...params(id) });
  },
  'DELETE /api/users/{id}/tokens/{tokenId}': async () => {
    const { id, token } = await newPerson();
    const { data } = (await call('POST /api/auth/tokens', { token, body: { name: 'x' } })).body;
    return () =>
      call('DELETE /api/users/{id}/tokens/{tokenId}', {
        token: root.token,
        params: { id: String(id), tokenId: String(data.id) },
      });
  },
  'PUT /api/auth/password': async () => {
    const { token } = await newPerson();
    const body = { currentPassword: password, password: freshPassword };
    return () => call('PUT /api/auth/password', { token, body });
  },
  'DELETE /api/users/me': async () => {
    const { token } = await newPerson();
    return () => leave(token);
  },
  'POST /api/users/me/restore': async () => {
    const { email, token } = await newPerson();
    await leave(token);
    const back = (await login(email)).body.accessToken;
    return () => keep(back);
  },
  'PUT /api/users/me': async () => {
    const { token } = await newPerson();
    const body = { email: newEmail(), currentPassword: password };
    return () => call('PUT /api/users/me', { token, body });
  },
  'POST /api/users': async () => {
    const body = { email: newEmail(), name: 'Zoe Example', password: freshPassword };
    return () => call('POST /api/users', { token: root.token, body });
  },
  'POST /api/users/export': async () => () => call('POST /api/users/export', { token: root.token }),
  'POST /api/audit/export': async () => () => call('POST /api/audit/export', { token: root.token }),
  'POST /api/shares/export': async () => () =>
    call('POST /api/shares/export', { token: root.token }),
  'POST /api/users/import': async () => () => {
    const users = [{ email: newEmail(), name: 'Zoe Example' }];
    return call('POST /api/users/import', { token: root.token, body: { users } });
  },
  'POST /api/roles': async () => () => createRole(root, ['audit:view']),
  'PUT /api/roles/{name}': async () => {
    const name = await newRole(root, ['audit:view']);
    return () => changeRole(root, name, { permissions: ['sales:view'] });
  },
  'DELETE /api/roles/{name}': async () => {
    const name = await newRole(root, ['audit:view']);
    return () => deleteRole(root, name);
  },
  'POST /api/users/{id}/invitation': async () => {
    const { id } = await newInvited();
    return () => call('POST /api/users/{id}/invitation', { token: root.token, ...params(id) });
  },
  'PUT /api/users/{id}': async () => {
    const { id } = await newPerson();
    const body = { role: 'guest', status: 'suspended' };
    return () => call('PUT /api/users/{id}', { token: root.token, ...params(id), body });
  },
  'DELETE /api/users/{id}': async () => {
    const { id } = await newPerson();
    return () => call('DELETE /api/users/{id}', { token: root.token, ...params(id) });
  },
  'POST /api/share': async () => {
    const { token } = await newPerson();
    const body = { content: '# Hi', password: 'Abc123' };
    return () => call('POST /api/share', { token, body });
  },
  'PUT /api/share/{id}': async () => {
    const { token, shareId } = await newShare();
    const body = { title: 'Another', password: 'Abc123' };
    return () => call('PUT /api/share/{id}', { token, ...params(shareId), body });
  },
  'POST /api/share/{id}/end': async () => {
    const { token, shareId } = await newShare();
    return () => call('POST /api/share/{id}/end', { token, ...params(shareId) });
  },
  'POST /api/share/{id}/reopen': async () => {
    const { token, shareId } = await newShare();
    await call('POST /api/share/{id}/end', { token, ...params(shareId) });
    return () => call('POST /api/share/{id}/reopen', { token, ...params(shareId) });
  },
  'POST /api/settings/failed-jobs/{id}/retry': async () => {
    const { token } = await newUserOf('super_admin');
    const id = await newFailedJob();
    return () => call('POST /api/settings/failed-jobs/{id}/retry', { token, ...params(id) });
  },
  'POST /api/settings/spending/lift': async () => {
    const { token } = await newUserOf('super_admin');
    return () => call('POST /api/settings/spending/lift', { token, body: {} });
  },
  'PUT /api/share/received/seen': async () => {
    const { token } = await newPerson();
    return () => receivedOf({ token }).see();
  },
  'DELETE /api/share/received/{id}': async () => {
    const reader = await newPerson();
    const { shareId } = await newShare({ readers: [reader.id] });
    return () => receivedOf(reader).unlist(shareId);
  },
  'POST /api/share/{id}/links': async () => {
    const { token, shareId } = await newShare();
    return () => linksOf({ token }).addLink(shareId);
  },
  'PUT /api/share/{id}/links/{linkId}': async () => {
    const { token, shareId } = await newShare();
    const { addLink, changeLink } = linksOf({ token });
    const { id } = (await addLink(shareId)).body;
    return () => changeLink(shareId, id, { label: 'Luca' });
  },
  'POST /api/share/{id}/links/{linkId}/send': async () => {
    const { token, shareId } = await newShare();
    const { addLink, sendLink } = linksOf({ token });
    const { id } = (await addLink(shareId, { email: 'mei@example.com' })).body;
    return () => whileMailIsOn(() => sendLink(shareId, id));
  },
  'DELETE /api/share/{id}/links/{linkId}': async () => {
    const { token, shareId } = await newShare();
    const { addLink, revokeLink } = linksOf({ token });
    const { id } = (await addLink(shareId)).body;
    return () => revokeLink(shareId, id);
  },
  'POST /api/share/{id}/revisions/{version}/restore': async () => {
    const { token, shareId } = await newShare();
    await call('PUT /api/share/{id}', { token, ...params(shareId), body: { content: 'Two' } });
    return () => revisionsOf({ token }).restore(shareId, 1);
  },
  'DELETE /api/share/{id}': async () => {
    const { token, shareId } = await newShare();
    return () => call('DELETE /api/share/{id}', { token, ...params(shareId) });
  },
  'POST /api/share/{id}/report': async () => {
    const { shareId } = await newShare();
    const body = { reason: 'It asks for a password' };
    return () => call('POST /api/share/{id}/report', { ...params(shareId), body });
  },
  'POST /s/{id}/report': async () => {
    const { shareId } = await newShare();
    const fields = form({ reason: 'It asks for a password' });
    return () => call('POST /s/{id}/report', { ...params(shareId), ...fields });
  },
  'POST /s/{id}/end': async () => {
    const { shareId } = await newShare({ readersCanEnd: true });
    return () => endAsReader(shareId);
  },
  'PUT /api/shares/{id}/decision': async () => {
    const { shareId } = await newShare();
    const options = { token: root.token, ...params(shareId), body: { decision: 'take-down' } };
    return () => call('PUT /api/shares/{id}/decision', options);
  },
  'POST /s/{id}/open': async () => {
    const { shareId } = await newShare({ viewLimit: 2 });
    return () => call('POST /s/{id}/open', { ...params(shareId), body: '' });
  },
  'POST /s/{id}/code': async () => {
    const { link } = await newAsking();
    return () => whileMailIsOn(() => askCode(link));
  },
  'POST /s/{id}/proof': async () => {
    const { link } = await newAsking();
    const code = await plantCode(link);
    return () => enterCode(link, code);
  },
  'POST /s/{id}/view': async () => {
    const { shareId } = await newShare();
    return () => call('POST /s/{id}/view', { ...params(shareId), body: {} });
  },
  'POST /api/share/uploads': async () => {
    const { token } = await newPerson();
    return () => startUpload(token, site);
  },
  'DELETE /api/share/uploads/{id}': async () => {
    const { token } = await newPerson();
    const { id } = (await startUpload(token, site)).body;
    return () => call('DELETE /api/share/uploads/{id}', { token, ...params(id) });
  },
  'POST /mcp': async () => {
    const { token } = await newPerson();
    return () => modern(token, 'prompts/list');
  },
  'PUT /api/share/{id}/files/{path+}': async () => {
    const { token, shareId } = await newShare();
    const options = { token, params: { id: shareId, path: 'a.css' }, body: { content: 'p {}' } };
    return () => call('PUT /api/share/{id}/files/{path+}', options);
  },
  'POST /api/share/requests': async () => {
    const { create } = intakeOf(await newPerson());
    return () => create({ password: 'Abc123' });
  },
  'PUT /api/share/requests/{id}': async () => {
    const { id, put } = await newRequest();
    return () => put(id, { title: 'Another', password: 'Abc123' });
  },
  'DELETE /api/share/requests/{id}': async () => {
    const { id, remove } = await newRequest();
    return () => remove(id);
  },
  'PUT /api/shares/requests/{id}/decision': async () => {
    const { id } = await newRequest();
    return () => intakeOf(root).decide(id, { decision: 'take-down' });
  },
  'POST /r/{id}': async () => {
    const { id } = await newRequest();
    return () => handIn(id);
  },
  'POST /r/{id}/report': async () => {
    const { id } = await newRequest();
    return () => reportRequest(id);
  },
  'POST /api/markdown': async () => () =>
    call('POST /api/markdown', { body: { markdown: '# Hi' } }),
  'POST /api/settings/test-mail': async () => () =>
    whileMailIsOn(() => call('POST /api/settings/test-mail', { token: root.token })),
  'POST /api/checkin': async () => {
    const { token } = await newPerson();
    return () => call('POST /api/checkin', { token });
  },
};

/** Returns the entries that a request writes. */
const leftBy = async (request: Prepared) => {
  const before = new Set((await entries()).map(({ id }) => id));
  const response = await request();
  return { answer: response, left: (await entries()).filter(({ id }) => !before.has(id)) };
};

/** Omits the keys in which the two items of an entry differ. */
const content = ({ pk: _, sk: __, gsi1pk: ___, gsi1sk: ____, ...entry }: Entry) => entry;

/** The status of a form that succeeds, if the route states that of a page. */
const redirecting = ['POST /r/{id}', 'POST /second-factor'];

/** Forms that sign in once a password is set, which is an entry of its own. */
const signingIn = ['POST /reset', 'POST /invite'];

const nameOf = ({ method, path }: (typeof changing)[number]) => `${method} ${path}`;

it('calls every route that writes', () => {
  expect(Object.keys(successes).sort()).toEqual(changing.map(nameOf).sort());
});

describe.each(changing)('$method $path', (route) => {
  const { method, path, auditAction: audit = 'none' } = route;
  const signsIn = signingIn.includes(nameOf(route));
  const own = audit === 'none' ? [] : [audit];
  const expected = signsIn ? [...own, 'session.create'] : own;

  it(`leaves ${audit === 'none' ? 'no entry' : `an entry for each of ${expected}`}`, async () => {
    const prepare = successes[`${method} ${path}`] ?? expect.unreachable();
    const { answer: response, left } = await leftBy(await prepare());
    const redirects = signsIn || redirecting.includes(nameOf(route));
    expect(response.status).toBe(redirects ? 303 : route.status);
    expect(left.map(({ action }) => String(action)).toSorted()).toEqual(expected.toSorted());
    for (const entry of left) {
      expect(entry).toMatchObject({
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        subject: expect.stringMatching(/^[a-z]+:[\w-]+$/),
        address: '192.0.2.1',
        requestId: response.headers['x-request-id'],
      });
      const about = await entriesAbout(String(entry['subject']));
      expect(about.filter(({ id }) => id === entry['id']).map(content)).toEqual([content(entry)]);
    }
  });
});

describe('the audit entries', () => {
  const lastOf = async (name: string) => {
    const prepare = successes[name] ?? expect.unreachable();
    return (await leftBy(await prepare())).left.map(
      ({ action, subject, actorId, before, after }) => ({
        action,
        subject,
        actorId,
        before,
        after,
      }),
    );
  };
  const aSession = expect.stringMatching(/^[\w-]{22}$/);

  it('record the start and end of sessions', async () => {
    expect(await lastOf('POST /api/auth/login')).toMatchObject([{ after: { session: aSession } }]);
    for (const name of [
      'POST /api/auth/logout',
      'DELETE /api/auth/sessions/{id}',
      'POST /api/auth/refresh',
    ]) {
      expect(await lastOf(name)).toMatchObject([{ before: { session: aSession } }]);
    }
  });

  it('record a reused refresh token without naming its user as the actor', async () => {
    expect(await lastOf('POST /api/auth/refresh')).toMatchObject([{ actorId: undefined }]);
  });

  it('record the end of all sessions once', async () => {
    const { id, token } = await newPerson();
    const out = () => call('POST /api/auth/logout', { token, body: { scope: 'all' } });
    const { left } = await leftBy(out);
    expect(left).toMatchObject([
      { action: 'session.end', actorId: id, subject: `user:${id}`, before: { sessions: 'all' } },
    ]);
  });

  it('record the permissions of an API token, but no part of its secret', async () => {
    const { id, token } = await newPerson();
    const body = { name: 'CI', permissions: ['files:view'], expiresInDays: 1 };
    const create = () => call('POST /api/auth/tokens', { token, body });
    const { answer: response, left } = await leftBy(create);
    const { id: tokenId, expiresAt } = response.body.data;
    const entry = { actorId: id, subject: `token:${tokenId}` };
    const fields = { name: 'CI', permissions: ['files:view'], expiresAt };
    expect(left).toMatchObject([{ ...entry, after: fields }]);
    const revoked = await leftBy(() =>
      call('DELETE /api/auth/tokens/{id}', { token, ...params(tokenId) }),
    );
    expect(revoked.left).toMatchObject([{ ...entry, before: fields }]);
  });

  it('record that a password was set, and how', async () => {
    const changed = { password: 'changed' };
    expect(await lastOf('PUT /api/auth/password')).toMatchObject([{ after: changed }]);
    for (const name of ['POST /api/auth/reset-password', 'POST /reset']) {
      expect(await lastOf(name)).toContainEqual(
        expect.objectContaining({
          after: expect.objectContaining({ ...changed, link: 'reset' }),
        }),
      );
    }
    const [invited, ...others] = (await lastOf('POST /invite')).toSorted((a, b) =>
      String(a.action).localeCompare(String(b.action)),
    );
    expect(invited).toMatchObject({ after: { ...changed, link: 'invitation' } });
    expect(others).toMatchObject([{ action: 'session.create', after: { session: aSession } }]);
  });

  it('record who accepts an invitation', async () => {
    const { id, email } = await newInvited();
    const token = await newInvitationToken(id);
    const { left } = await leftBy(() => register(email, { name: 'Zora', token }));
    expect(left).toMatchObject([
      {
        action: 'user.register',
        actorId: id,
        subject: `user:${id}`,
        before: { name: 'Bob Example' },
        after: { name: 'Zora', link: 'invitation', session: aSession },
      },
    ]);
  });

  it('do not record a regular refresh', async () => {
    const { refreshToken } = await newPerson();
    const refresh = () => call('POST /api/auth/refresh', { body: { refreshToken } });
    expect((await leftBy(refresh)).left).toEqual([]);
    expect((await leftBy(refresh)).left).toEqual([]);
  });
});

describe('a session that is ended concurrently', () => {
  it('has one entry', async () => {
    const { token } = await newPerson();
    const out = () => call('POST /api/auth/logout', { token });
    const { left } = await leftBy(async () => {
      const [first] = await Promise.all(Array.from({ length: 10 }, out));
      return first ?? expect.unreachable();
    });
    expect(left).toMatchObject([{ action: 'session.end' }]);
  });

  it('has one entry for a repeatedly reused refresh token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { refreshToken } = await newPerson();
    const refresh = () => call('POST /api/auth/refresh', { body: { refreshToken } });
    const { body } = await refresh();
    // The response arrived: its token is used.
    await call('GET /api/auth/me', { token: body.accessToken });
    vi.setSystemTime(Date.now() + 10_000);
    const { left } = await leftBy(async () => {
      const [first] = await Promise.all(Array.from({ length: 10 }, refresh));
      return first ?? expect.unreachable();
    });
    expect(left).toMatchObject([{ action: 'session.reuse' }]);
  });
});

afterAll(async () => {
  const all = await itemsOf('AUDIT#');
  expect(all.length).toBeGreaterThan(100);
  const written = all.map((item) => JSON.stringify(item)).join('\n');
  expect(findLeaks(written), 'secrets in the audit').toEqual([]);
  expect(written).not.toMatch(/"\w*(?:hash|epoch)\w*":/i);
});

it('has words for each action, in which people read the audit log', () => {
  const actions = (Object.keys(hosts) as Host[])
    .flatMap((host) => listRoutes(host))
    .flatMap(({ auditAction }) => auditAction ?? [])
    .filter((action) => action !== 'none');
  const nameless = actions.filter((action) => {
    const [kind = '', what = ''] = action.split('.');
    return auditActionTexts[kind]?.actions[what] === undefined;
  });
  expect(nameless).toEqual([]);
});
