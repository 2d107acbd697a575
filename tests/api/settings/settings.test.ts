import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useTable();
afterEach(() => vi.unstubAllEnvs());

const read = ({ token }: { readonly token: string }) => call('GET /api/settings', { token });

describe('GET /api/settings', () => {
  it('returns what the service runs with', async () => {
    const root = await newUserOf('super_admin');
    const settings = {
      VERSION: '1.2.3',
      COMMIT: '2f8a76f4d1c0',
      STAGE: 'try',
      PUBLIC_URL: 'https://handbill.example.com/',
      SNIPPETS_URL: 'https://snippets.example.com',
      REGISTRATION: 'invite',
      DIRECTORY: 'off',
      MFA_REQUIRED_ROLES: 'super_admin, admin',
      PASSWORD_SIGN_IN: 'off',
      EMAIL_SIGN_IN: 'on',
      ROLE_CLAIM: 'groups Ops team=admin',
      OIDC_WORK_ISSUER: 'https://id.example.com',
      OIDC_WORK_CLIENT_ID: 'handbill',
      OIDC_WORK_CLIENT_SECRET: 'geheim',
      NEW_USER_PERMISSIONS: 'documents:create, messages:*',
      DEFAULT_AUDIENCE: 'people',
      MAX_AUDIENCE: 'members',
      MAIL_FROM: 'handbill@example.com',
      CURRENCY: 'USD',
      CHECKIN_TIMEZONE: 'Europe/Berlin',
      FILES_QUOTA: '500MB',
      RATE_LIMIT_FACTOR: '0.5',
      JWT_ACCESS_EXPIRES: '5m',
      JWT_REFRESH_EXPIRES: '2d',
      SESSION_MAX_AGE: '10d',
      AUDIT_KEEP: '100d',
      MAX_SHARE_AGE: '36h',
      MESSAGES_KEEP: '365d',
      NOTIFICATIONS_KEEP: '30d',
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const reply = await read(root);
    expect(JSON.stringify(reply.body)).not.toContain('geheim');
    expect(reply).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          version: '1.2.3',
          commit: '2f8a76f4d1c0',
          stage: 'try',
          publicUrl: 'https://handbill.example.com',
          snippetsUrl: 'https://snippets.example.com',
          registration: 'invite',
          directory: 'off',
          mfaRequiredRoles: ['super_admin', 'admin'],
          passwordSignIn: 'off',
          emailSignIn: 'on',
          providers: [
            {
              name: 'work',
              label: 'Work',
              issuer: 'https://id.example.com',
              clientId: 'handbill',
              redirectUrl: 'https://handbill.example.com/login/work/callback',
            },
          ],
          roleClaim: 'groups Ops team=admin, *=user',
          newUserPermissions: ['documents:create', 'messages:*'],
          defaultAudience: 'people',
          maxAudience: 'members',
          membersKnown: true,
          mailFrom: 'handbill@example.com',
          currency: 'USD',
          checkinTimezone: 'Europe/Berlin',
          filesQuotaBytes: 524_288_000,
          rateLimitFactor: 0.5,
          accessTokenSeconds: 300,
          refreshTokenSeconds: 172_800,
          sessionSeconds: 864_000,
          auditSeconds: 8_640_000,
          shareSeconds: 129_600,
          messagesSeconds: 31_536_000,
          notificationsSeconds: 2_592_000,
        },
      },
    });
  });

  it('says that shares can’t be for members while strangers can register', async () => {
    const root = await newUserOf('super_admin');
    vi.stubEnv('REGISTRATION', 'open');
    vi.stubEnv('DEFAULT_AUDIENCE', 'members');
    const unknown = { defaultAudience: 'private', maxAudience: 'link', membersKnown: false };
    expect((await read(root)).body.data).toMatchObject(unknown);
  });

  it('says that email is off', async () => {
    vi.stubEnv('MAIL_FROM', '');
    expect((await read(await newUserOf('super_admin'))).body.data.mailFrom).toBeNull();
  });

  it('names no secret and no resource behind the service', async () => {
    const text = JSON.stringify((await read(await newUserOf('super_admin'))).body);
    for (const name of ['TABLE_NAME', 'JWT_SECRET', 'FILES_BUCKET', 'JOBS_QUEUE_URL']) {
      const value = process.env[name];
      if (value) expect(text, name).not.toContain(value);
    }
    expect(text).not.toContain(process.env['TABLE_NAME'] ?? 'no table');
  });
});
