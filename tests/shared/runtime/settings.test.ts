import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRoleClaim, writeRoleClaim } from '../../../shared/permissions/role-claim.ts';
import { getSetting, type SettingName } from '../../../shared/runtime/settings.ts';
import { assertSettings } from '../../../shared/runtime/settings-check.ts';
import { isWeakSecret } from '../../../shared/runtime/weak-secret.ts';
import fc from '../../support/run/properties.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const strong = 'q7Yk2vB9xW4nT6mR8cJ3hL5pD1sF0gZe';

const set = (name: string, text: string | undefined): void => {
  vi.stubEnv(name, text);
};

/** What reading the setting throws: its name and message. */
const refusal = (name: SettingName): string => {
  try {
    getSetting(name);
  } catch (error) {
    return String(error);
  }
  return 'nothing was thrown';
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a missing setting', () => {
  it.each<[SettingName, unknown]>([
    ['JWT_SECRET', undefined],
    ['JWT_SECRET_ID', undefined],
    ['JWT_ACCESS_EXPIRES', 15 * minute],
    ['JWT_REFRESH_EXPIRES', 7 * day],
    ['PASSWORD_COST', 12],
    ['CHECKIN_TIMEZONE', 'UTC'],
    ['MAX_SHARE_AGE', undefined],
    ['MESSAGES_KEEP', undefined],
    ['NOTIFICATIONS_KEEP', 90 * day],
  ])('%s has a default', (name, value) => {
    set(name, undefined);
    expect(getSetting(name)).toBe(value);
    set(name, '');
    expect(getSetting(name)).toBe(value);
  });

  it.each<[SettingName, string]>([
    ['TABLE_NAME', 'the name of the DynamoDB table'],
    [
      'PUBLIC_URL',
      'the http(s) origin people reach this service at, such as https://api.example.com',
    ],
    [
      'SNIPPETS_URL',
      "the http(s) origin that serves people's snippets, another one than PUBLIC_URL",
    ],
  ])('%s has no default, and the error says what to set', (name, rule) => {
    set(name, undefined);
    expect(refusal(name)).toBe(`SettingError: Set ${name} to ${rule}.`);
    set(name, '');
    expect(refusal(name)).toBe(`SettingError: Set ${name} to ${rule}.`);
  });
});

describe('a valid setting', () => {
  it.each<[SettingName, string, unknown]>([
    ['JWT_ACCESS_EXPIRES', '2s', 2_000],
    ['JWT_ACCESS_EXPIRES', '90s', 90_000],
    ['JWT_ACCESS_EXPIRES', '15m', 15 * minute],
    ['JWT_ACCESS_EXPIRES', '2h', 120 * minute],
    ['JWT_REFRESH_EXPIRES', '30d', 30 * day],
    ['JWT_REFRESH_EXPIRES', '9999999s', 9_999_999_000],
    ['PASSWORD_COST', '4', 4],
    ['PASSWORD_COST', '15', 15],
    ['CHECKIN_TIMEZONE', 'Europe/Berlin', 'Europe/Berlin'],
    ['CHECKIN_TIMEZONE', 'Pacific/Kiritimati', 'Pacific/Kiritimati'],
    ['PUBLIC_URL', 'https://api.example.com', 'https://api.example.com'],
    ['PUBLIC_URL', 'https://api.example.com/', 'https://api.example.com'],
    ['PUBLIC_URL', 'http://localhost:3000', 'http://localhost:3000'],
    ['PUBLIC_URL', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['SNIPPETS_URL', 'https://EXAMPLE.com:443', 'https://example.com'],
    ['TABLE_NAME', 'abc', 'abc'],
    ['JWT_SECRET_ID', 'handbill/jwt', 'handbill/jwt'],
  ])('%s=%s', (name, text, value) => {
    set(name, text);
    expect(getSetting(name)).toBe(value);
  });
});

describe('NEW_USER_PERMISSIONS', () => {
  it.each<[string | undefined, readonly string[]]>([
    [undefined, []],
    [' , ', []],
    ['users:view', ['users:view']],
    [
      'documents:* files:*,messages:create,\n documents:*',
      ['documents:*', 'files:*', 'messages:create'],
    ],
  ])('parses %j to %j', (text, entries) => {
    set('NEW_USER_PERMISSIONS', text);
    expect(getSetting('NEW_USER_PERMISSIONS')).toEqual(entries);
  });

  it.each(['*', 'users:*', 'users:create', 'users:delete', 'document:view', 'documents', ':*'])(
    'rejects %s',
    (text) => {
      set('NEW_USER_PERMISSIONS', `messages:create ${text}`);
      expect(refusal('NEW_USER_PERMISSIONS')).toBe(
        'SettingError: Set NEW_USER_PERMISSIONS to permissions such as documents:create or messages:*, separated by spaces or commas; not *, and of users only users:view.',
      );
      expect(assertSettings).toThrow(/^Set NEW_USER_PERMISSIONS to /);
    },
  );
});

describe('MFA_REQUIRED_ROLES', () => {
  it.each<[string | undefined, readonly string[]]>([
    [undefined, []],
    [' , ', []],
    ['super_admin,admin, admin', ['super_admin', 'admin']],
    ['admin support-team', ['admin', 'support-team']],
  ])('parses %j to %j', (text, entries) => {
    set('MFA_REQUIRED_ROLES', text);
    expect(getSetting('MFA_REQUIRED_ROLES')).toEqual(entries);
  });

  it.each(['Admin', 'admin;user', '*', '1st', 'a'.repeat(41), 'users:view'])(
    'rejects %s',
    (text) => {
      set('MFA_REQUIRED_ROLES', `user,${text}`);
      expect(refusal('MFA_REQUIRED_ROLES')).toBe(
        'SettingError: Set MFA_REQUIRED_ROLES to up to 24 names of roles such as super_admin,admin, in small letters and separated by commas.',
      );
      expect(assertSettings).toThrow(/^Set MFA_REQUIRED_ROLES to /);
    },
  );
});

describe('an invalid setting', () => {
  const spans = [
    '15',
    '15 m',
    '15min',
    '0m',
    '-5m',
    '1.5h',
    'm',
    '15M',
    '1w',
    '10000000s',
    '15m\n',
  ];
  const urls = [
    'api.example.com',
    'ftp://example.com',
    'https://example.com/api',
    'https://example.com?a=1',
    'https://example.com#a',
    'javascript:alert(1)',
  ];
  it.each<[SettingName, string]>([
    ['MAX_SHARE_AGE', '59m'],
    ['MAX_SHARE_AGE', '3651d'],
    ['MESSAGES_KEEP', '12h'],
    ['NOTIFICATIONS_KEEP', '366d'],
    ['NOTIFICATIONS_KEEP', '0d'],
    ...spans.flatMap((text): [SettingName, string][] => [
      ['JWT_ACCESS_EXPIRES', text],
      ['JWT_REFRESH_EXPIRES', text],
    ]),
    ...['3', '16', '12.5', '-12', 'twelve', ' ', 'NaN', 'Infinity'].map(
      (text): [SettingName, string] => ['PASSWORD_COST', text],
    ),
    ...['Mars/Olympus', 'utc+one', '../etc'].map((text): [SettingName, string] => [
      'CHECKIN_TIMEZONE',
      text,
    ]),
    ...urls.flatMap((text): [SettingName, string][] => [
      ['PUBLIC_URL', text],
      ['SNIPPETS_URL', text],
    ]),
    ['TABLE_NAME', 'ab'],
  ])('%s=%j throws an error that names it', (name, text) => {
    set(name, text);
    expect(refusal(name)).toMatch(new RegExp(`^SettingError: Set ${name} to [^\\n]+\\.$`));
  });

  it('is never quoted in the message', () => {
    const value = 'https://user:hunter2@example.com/path';
    for (const name of ['PUBLIC_URL', 'PASSWORD_COST', 'CHECKIN_TIMEZONE'] as const) {
      set(name, value);
      expect(refusal(name)).toContain(name);
      expect(refusal(name)).not.toContain('hunter2');
    }
  });
});

describe('a secret', () => {
  const rule =
    'SettingError: Set JWT_SECRET to a random secret of at least 32 characters, neither an example nor a pattern, for instance from `openssl rand -base64 32`.';

  it.each([
    ['of less than 32 characters', strong.slice(1)],
    ['of an example', 'your-super-secret-jwt-key-change-in-production'],
    ['of a pattern', 'x'.repeat(32)],
  ])('%s is rejected in production and not quoted', (_, secret) => {
    set('NODE_ENV', 'production');
    set('JWT_SECRET', secret);
    expect(refusal('JWT_SECRET')).toBe(rule);
    set('JWT_SECRET', strong);
    expect(getSetting('JWT_SECRET')).toBe(strong);
  });

  it('of any kind is accepted elsewhere', () => {
    set('NODE_ENV', 'development');
    set('JWT_SECRET', 'changeme');
    expect(getSetting('JWT_SECRET')).toBe('changeme');
  });
});

describe('a changed setting', () => {
  it('is read again', () => {
    set('PASSWORD_COST', '5');
    expect(getSetting('PASSWORD_COST')).toBe(5);
    set('PASSWORD_COST', '6');
    expect(getSetting('PASSWORD_COST')).toBe(6);
  });
});

describe('assertSettings', () => {
  beforeEach(() => {
    set('NODE_ENV', 'production');
    set('JWT_SECRET', `${strong} of production`);
  });

  it('accepts valid settings', () => {
    expect(assertSettings()).toBeUndefined();
  });

  it.each<[SettingName, string]>([
    ['JWT_SECRET', 'short one'],
    ['PUBLIC_URL', 'nowhere'],
    ['PASSWORD_COST', '99'],
    ['JWT_REFRESH_EXPIRES', 'a week'],
  ])('throws for an invalid %s', (name, text) => {
    set(name, text);
    expect(assertSettings).toThrow(new RegExp(`^Set ${name} to `));
  });
});

it('rejects a start in production without a secret', () => {
  vi.stubEnv('JWT_SECRET', undefined);
  vi.stubEnv('JWT_SECRET_ID', undefined);
  vi.stubEnv('NODE_ENV', 'production');
  expect(assertSettings).toThrow(/JWT_SECRET/);
});

it('rejects a start with the same origin for both hosts', () => {
  vi.stubEnv('SNIPPETS_URL', process.env['PUBLIC_URL']);
  expect(assertSettings).toThrow(/SNIPPETS_URL/);
});

describe('DEFAULT_AUDIENCE=members', () => {
  it.each([
    [{ REGISTRATION: 'open' }, false],
    [{ REGISTRATION: 'open', ALLOWED_DOMAINS: 'example.com' }, false],
    [{ REGISTRATION: 'open', EMAIL_VERIFICATION: 'required' }, false],
    [
      { REGISTRATION: 'open', ALLOWED_DOMAINS: 'example.com', EMAIL_VERIFICATION: 'required' },
      true,
    ],
    [{ REGISTRATION: 'invite' }, true],
    [{ REGISTRATION: 'closed' }, true],
  ])('with %j starts: %s', (settings, starts) => {
    const all = { DEFAULT_AUDIENCE: 'members', MAIL_FROM: 'handbill@example.com', ...settings };
    for (const [name, text] of Object.entries(all)) vi.stubEnv(name, text);
    const rule = /^Set DEFAULT_AUDIENCE to link, people or private, or REGISTRATION to invite: /;
    if (starts) expect(assertSettings()).toBeUndefined();
    else expect(assertSettings).toThrow(rule);
  });
});

describe('the ways to sign in', () => {
  const google = {
    OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
    OIDC_GOOGLE_CLIENT_ID: 'client',
  };
  const work = { OIDC_WORK_ISSUER: 'https://id.example.com', OIDC_WORK_CLIENT_ID: 'client' };
  const ROLE_CLAIM = 'groups Ops team=admin, *=guest';

  it.each<[Record<string, string>, RegExp | undefined]>([
    [{ PASSWORD_SIGN_IN: 'off' }, /^Set PASSWORD_SIGN_IN to on, .*: nobody could sign in\.$/],
    [{ PASSWORD_SIGN_IN: 'off', ...google }, undefined],
    [
      { PASSWORD_SIGN_IN: 'off', EMAIL_SIGN_IN: 'on', MAIL_FROM: 'handbill@example.com' },
      undefined,
    ],
    [{ EMAIL_SIGN_IN: 'on', MAIL_FROM: '' }, /^Set MAIL_FROM to .*, or EMAIL_SIGN_IN to off/],
    [{ ROLE_CLAIM }, /^Leave out ROLE_CLAIM, or set OIDC_<NAME>_ISSUER /],
    [{ ROLE_CLAIM, ...google }, /^Leave out ROLE_CLAIM, or set OIDC_<NAME>_ISSUER /],
    [{ ROLE_CLAIM, ...google, ...work }, undefined],
    [{ ...work, OIDC_WORK_CLIENT_SECRET: 'a\nb' }, /^Set OIDC_WORK_CLIENT_SECRET to /],
    [{ OIDC_WORK_CLIENT_SECRET: 'a' }, /^Set OIDC_WORK_ISSUER to /],
  ])('with %j start, or say what to set: %s', (settings, rule) => {
    for (const [name, text] of Object.entries(settings)) vi.stubEnv(name, text);
    if (rule === undefined) expect(assertSettings()).toBeUndefined();
    else expect(assertSettings).toThrow(rule);
  });

  it.each([
    ['', undefined],
    [
      ROLE_CLAIM,
      { claim: 'groups', roles: [{ value: 'Ops team', role: 'admin' }], otherwise: 'guest' },
    ],
    [
      'realm_access.roles a=b=editors',
      {
        claim: 'realm_access.roles',
        roles: [{ value: 'a=b', role: 'editors' }],
        otherwise: 'user',
      },
    ],
  ])('parse the claim %j', (text, claim) => {
    set('ROLE_CLAIM', text);
    expect(getSetting('ROLE_CLAIM')).toEqual(claim);
    const written = writeRoleClaim(getSetting('ROLE_CLAIM'));
    expect(written === null ? undefined : readRoleClaim(written)).toEqual(claim);
  });

  it.each(['groups', 'groups ', 'groups =admin', 'groups a=Admin', 'groups a=super_admin', 'g *'])(
    'refuse the claim %j',
    (text) => {
      set('ROLE_CLAIM', text);
      expect(refusal('ROLE_CLAIM')).toMatch(/^SettingError: Set ROLE_CLAIM to a claim and roles/);
    },
  );
});

const alphabets = {
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  alphanumeric: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  'lower case': 'abcdefghijklmnopqrstuvwxyz',
  hex: '0123456789abcdef',
};

describe('a random secret', () => {
  it.each(Object.entries(alphabets))(
    'of 32 to 64 characters is strong: 1,000 in %s',
    (_, alphabet) => {
      // Each character is drawn evenly and apart: fast-check by itself prefers repetitions and `__proto__`, to find edges.
      const characters = fc.array(fc.constantFrom(...alphabet), { minLength: 32, maxLength: 64 });
      const secret = fc.noBias(characters).map((drawn) => drawn.join(''));
      fc.assert(
        fc.property(secret, (text) => !isWeakSecret(text)),
        { numRuns: 1_000 },
      );
    },
  );

  it.each([
    ['openssl rand -base64 32', () => randomBytes(32).toString('base64')],
    ['openssl rand -hex 16', () => randomBytes(16).toString('hex')],
    ['uuidgen', () => crypto.randomUUID()],
    // What `npm run rotate-secret` makes.
    ['48 bytes as base64url', () => randomBytes(48).toString('base64url')],
  ])('is strong as created by %s', (_, make) => {
    const secrets = Array.from({ length: 100 }, make);
    expect(secrets.filter(isWeakSecret)).toEqual([]);
  });

  it('may be 12 words of a dice list or wallet', () => {
    const words =
      'abandon zebra motion cliff orphan tunnel whisper garlic fossil ribbon quantum jacket';
    expect(isWeakSecret(words)).toBe(false);
  });
});

describe('a weak secret', () => {
  it('has under 32 characters', () => {
    const secret = 'q7Yk2vB9xW4nT6mR8cJ3hL5pD1sF0gZe';
    expect(secret).toHaveLength(32);
    expect([isWeakSecret(secret), isWeakSecret(secret.slice(1)), isWeakSecret('')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('has under 8 different characters in any order', () => {
    const draw = (characters: string) =>
      Array.from(randomBytes(400), (byte) => characters[byte % characters.length]).join('');
    expect(isWeakSecret(draw('aGk3_Zp'))).toBe(true);
    expect(isWeakSecret(draw('aGk3_Zpw'))).toBe(false);
  });

  it.each([
    // jwt.io
    'a-string-secret-at-least-256-bits-long',
    // READMEs and .env files
    'your_super_secure_random_string_here_min_32_chars',
    'CHANGE_ME_IN_PRODUCTION_PLEASE_1234567890',
    // published ones that look random, alone and with something about them
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970-prod',
    // patterns
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '0123456789abcdef0123456789abcdef',
    'q7Yk2vB9'.repeat(8),
    '!@#$%^&*()_+!@#$%^&*()_+!@#$%^&*()_+',
    // these tests and the benchmark
    process.env['JWT_SECRET'] ?? '',
    'a secret of the benchmark, long enough to sign with',
  ])('is well known or repeats itself: %s', (secret) => {
    expect(isWeakSecret(secret)).toBe(true);
  });
});
