import { changeFactors } from '../../../functions/api/auth/factors/change-factors.ts';
import { createSecret } from '../../../functions/api/auth/factors/totp.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { call } from '../service/call.ts';
import { form } from '../service/form.ts';
import { whileMailIsOn } from '../service/mail.ts';
import {
  changeEmail,
  createApiToken,
  forgotPassword,
  freshPassword,
  refresh,
  resetPassword,
  verifyEmail,
} from '../users/account.ts';
import { codeOf, stepMs } from '../users/authenticator.ts';
import {
  enterSignInCode,
  plantSignInCode,
  requestCode,
  whileEmailSignInIsOn,
} from '../users/email-codes.ts';
import {
  beginTotp,
  confirmTotp,
  enrolTotp,
  firstStep,
  reauthenticate,
  secondStep,
} from '../users/factors.ts';
import {
  newInvitationToken,
  newResetToken,
  newUndoToken,
  newVerificationToken,
} from '../users/links.ts';
import { login, newAccount, newInvited, password, register } from '../users/test-users.ts';
import { newUser, nextEmail, params, type TypicalCalls } from './sample-request.ts';

const mint = async (token: string) => (await createApiToken(token)).body.data;

/** Returns the token of a link of a new user, and the fields of the form behind it. */
const withLink = async (kind: 'reset' | 'invite') => {
  const fields = { email: nextEmail(), name: 'Ann Example' };
  const token =
    kind === 'reset'
      ? await newResetToken((await newUser()).id)
      : await newInvitationToken((await newInvited(fields)).id);
  return { token, password: freshPassword, confirmPassword: freshPassword };
};

/** Creates a user with an authenticator app, and what returns a code of it that wasn't used: the one it shows next. */
const newTotpUser = async () => {
  const user = await enrolTotp(await newUser());
  return { ...user, showNext: () => codeOf(user.secret, Date.now() + stepMs) };
};

const ofTotpUser = (endpoint: string) => async () => {
  const { token } = await newTotpUser();
  return () => call(endpoint, { token });
};

/** Creates a user without sign-in attempts. */
const newQuietUser = () => newAccount({ email: nextEmail(), name: 'Ann Example' });

/** Prepares an admin's request about the sessions or API tokens of a user who has one of each. */
const aboutAccess =
  (endpoint: string, part: Readonly<Record<string, 'session' | 'apiToken'>> = {}) =>
  async () => {
    const [{ token }, user] = [await newUser('admin'), await newUser()];
    const [session] = (await call('GET /api/auth/sessions', { token: user.token })).body.data;
    const ids = { session: session.id, apiToken: (await mint(user.token)).id };
    const others = Object.entries(part).map(([name, kind]) => [name, String(ids[kind])]);
    const path = { id: String(user.id), ...Object.fromEntries(others) };
    return () => call(endpoint, { token, params: path });
  };

/** Prepares an admin's request about the second factors of a user who has one. */
const aboutFactors = (endpoint: string) => async () => {
  const [{ token }, { id }] = [await newUser('admin'), await enrolTotp(await newUser())];
  return () => call(endpoint, { token, ...params(id) });
};

const newVerifiedUser = () => {
  const emailVerifiedAt = new Date().toISOString();
  return newAccount({ email: nextEmail(), name: 'Ann Example', emailVerifiedAt });
};

const ofSession = (endpoint: string, body?: unknown) => async () => {
  const { token } = await newUser();
  return () => call(endpoint, { token, body });
};

export const authCalls: TypicalCalls = {
  'POST /api/auth/register': async () => () => register(nextEmail()),
  'POST /api/auth/login': async () => {
    const { email } = await newQuietUser();
    return () => login(email);
  },
  'POST /api/auth/login (from a new network)': async () => {
    const email = nextEmail();
    await register(email);
    return () => login(email, password, { address: '198.51.100.1' });
  },
  'POST /api/auth/login (with a second factor)': async () => {
    const { id, email } = await newQuietUser();
    const totp = { secret: createSecret(), createdAt: new Date().toISOString(), lastStep: 0 };
    await changeFactors(id, () => ({ factors: { totp } }), systemRecorder('factor.create'));
    return () => login(email);
  },
  'POST /api/auth/login/email': async () => {
    const { email } = await newQuietUser();
    return () => whileEmailSignInIsOn(() => requestCode(email));
  },
  'POST /api/auth/login/email/code': async () => {
    const user = await newVerifiedUser();
    const { code } = await plantSignInCode(user);
    return () => whileEmailSignInIsOn(() => enterSignInCode({ email: user.email, code }));
  },
  'POST /api/auth/login/email/code (by the link)': async () => {
    const { token } = await plantSignInCode(await newVerifiedUser());
    return () => whileEmailSignInIsOn(() => enterSignInCode({ token }));
  },
  'POST /api/auth/login/email/code (of an address that wasn’t proven)': async () => {
    const user = await newQuietUser();
    const { code } = await plantSignInCode(user);
    return () => whileEmailSignInIsOn(() => enterSignInCode({ email: user.email, code }));
  },
  'POST /api/auth/mfa': async () => {
    const { email, showNext } = await newTotpUser();
    const mfaToken = await firstStep(email);
    return () => secondStep(mfaToken, showNext());
  },
  'POST /second-factor': async () => {
    const { email, showNext } = await newTotpUser();
    const mfaToken = await firstStep(email);
    return () => call('POST /second-factor', form({ mfaToken, code: showNext() }));
  },
  'POST /api/auth/mfa (by a recovery code)': async () => {
    const { email, codes } = await newTotpUser();
    const mfaToken = await firstStep(email);
    return () => secondStep(mfaToken, codes[0]);
  },
  'POST /api/auth/reauthenticate': async () => {
    const { token, showNext } = await newTotpUser();
    return () => reauthenticate(token, { code: showNext() });
  },
  'GET /api/auth/factors': ofTotpUser('GET /api/auth/factors'),
  'POST /api/auth/totp': ofSession('POST /api/auth/totp', {}),
  'POST /api/auth/totp/confirm': async () => {
    const { token } = await newUser();
    const { secret } = (await beginTotp(token)).body.data;
    return () => confirmTotp(token, codeOf(secret));
  },
  'DELETE /api/auth/totp': ofTotpUser('DELETE /api/auth/totp'),
  'POST /api/auth/recovery-codes': ofTotpUser('POST /api/auth/recovery-codes'),
  'POST /api/auth/refresh': async () => {
    const { refreshToken } = await newUser();
    return () => refresh(refreshToken);
  },
  'POST /api/auth/logout': ofSession('POST /api/auth/logout'),
  'GET /api/auth/me': ofSession('GET /api/auth/me'),
  'POST /api/auth/forgot-password': async () => {
    const { email } = await newQuietUser();
    return () => forgotPassword(email);
  },
  'POST /api/auth/reset-password': async () => {
    const { token } = await withLink('reset');
    return () => resetPassword(token);
  },
  'POST /api/auth/send-verification': async () =>
    whileMailIsOn(async () => {
      const { token } = await newUser();
      return () => whileMailIsOn(() => call('POST /api/auth/send-verification', { token }));
    }),
  'POST /api/auth/verify-email': async () => {
    const { id, token } = await newUser();
    const link = await newVerificationToken(id);
    return () => verifyEmail(token, link);
  },
  'DELETE /api/auth/pending-email': async () => {
    const { token } = await newUser();
    await whileMailIsOn(() => changeEmail(token, nextEmail()));
    return () => call('DELETE /api/auth/pending-email', { token });
  },
  'GET /verify': async () => {
    const { id, token } = await newUser();
    const link = await newVerificationToken(id);
    return () => call('GET /verify', { token, query: { token: link } });
  },
  'GET /reset': async () => {
    const { token } = await withLink('reset');
    return () => call('GET /reset', { query: { token } });
  },
  'POST /reset': async () => {
    const fields = await withLink('reset');
    return () => call('POST /reset', form(fields));
  },
  'GET /undo-email': async () => {
    const token = await newUndoToken(nextEmail);
    return () => call('GET /undo-email', { query: { token } });
  },
  'POST /undo-email': async () => {
    const token = await newUndoToken(nextEmail);
    return () => call('POST /undo-email', form({ token }));
  },
  'GET /invite': async () => {
    const { token } = await withLink('invite');
    return () => call('GET /invite', { query: { token } });
  },
  'POST /invite': async () => {
    const fields = await withLink('invite');
    return () => call('POST /invite', form(fields));
  },
  'GET /api/auth/sessions': ofSession('GET /api/auth/sessions'),
  'DELETE /api/auth/sessions/{id}': async () => {
    const { token, email } = await newUser();
    const other = (await login(email)).body.accessToken;
    const { data } = (await call('GET /api/auth/sessions', { token: other })).body;
    const { id } = data.find(({ current }: { current: boolean }) => current);
    return () => call('DELETE /api/auth/sessions/{id}', { token, ...params(id) });
  },
  'POST /api/auth/tokens': ofSession('POST /api/auth/tokens', { name: 'Nightly script' }),
  'GET /api/auth/tokens': async () => {
    const { token } = await newUser();
    await mint(token);
    return () => call('GET /api/auth/tokens', { token });
  },
  'DELETE /api/auth/tokens/{id}': async () => {
    const { token } = await newUser();
    const { id } = await mint(token);
    return () => call('DELETE /api/auth/tokens/{id}', { token, ...params(id) });
  },
  'GET /api/users/{id}/sessions': aboutAccess('GET /api/users/{id}/sessions'),
  'DELETE /api/users/{id}/sessions': aboutAccess('DELETE /api/users/{id}/sessions'),
  'DELETE /api/users/{id}/sessions/{sessionId}': aboutAccess(
    'DELETE /api/users/{id}/sessions/{sessionId}',
    { sessionId: 'session' },
  ),
  'GET /api/users/{id}/factors': aboutFactors('GET /api/users/{id}/factors'),
  'DELETE /api/users/{id}/factors': aboutFactors('DELETE /api/users/{id}/factors'),
  'GET /api/users/{id}/sign-ins': aboutAccess('GET /api/users/{id}/sign-ins'),
  'GET /api/users/{id}/tokens': aboutAccess('GET /api/users/{id}/tokens'),
  'DELETE /api/users/{id}/tokens/{tokenId}': aboutAccess(
    'DELETE /api/users/{id}/tokens/{tokenId}',
    { tokenId: 'apiToken' },
  ),
  'PUT /api/auth/password': ofSession('PUT /api/auth/password', {
    currentPassword: password,
    password: freshPassword,
  }),
};
