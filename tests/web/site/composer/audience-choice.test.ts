import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

useTable();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Lists the audiences that a page offers, with why one can't be chosen, and which is. */
const readAudiences = (body: string): readonly string[] => {
  const labels = body.matchAll(
    /<span>([^<]+)(?:<small[^>]*>([^<]*)<\/small>)?<\/span><input type="radio"([^>]*)>/g,
  );
  return [...labels].map(([, label, about = '', attributes = '']) => {
    const state = attributes.includes(' disabled') ? `no: ${about}` : 'yes';
    return `${label}, ${state}${attributes.includes(' checked') ? ', chosen' : ''}`;
  });
};

describe('the choice of who can open a share', () => {
  it.each([
    {
      settings: { REGISTRATION: 'open' },
      offered: [
        'Anyone with the link, yes, chosen',
        'Everyone here, no: Unavailable while anyone can register',
        'People you choose, yes',
        'Only you, yes',
      ],
    },
    {
      settings: { REGISTRATION: 'invite', DEFAULT_AUDIENCE: 'people' },
      offered: [
        'Anyone with the link, yes',
        'Everyone here, yes',
        'People you choose, yes, chosen',
        'Only you, yes',
      ],
    },
    {
      settings: { REGISTRATION: 'closed', MAX_AUDIENCE: 'people', DIRECTORY: 'off' },
      offered: [
        'Anyone with the link, no: This service doesn’t allow it',
        'Everyone here, no: This service doesn’t allow it',
        'People you choose, no: Finding people is turned off here',
        'Only you, yes, chosen',
      ],
    },
  ])('is as wide as the service allows with $settings', async ({ settings, offered }) => {
    const { token } = await newPerson();
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const { body } = await call('GET /', { token });
    expect(readAudiences(body)).toEqual(offered);
  });

  it('asks visitors to sign in', async () => {
    const { body } = await call('GET /');
    expect(readAudiences(body)).toEqual([
      'Anyone with the link, yes, chosen',
      'Everyone here, no: Signed-in members',
      'People you choose, no: ',
      'Only you, no: ',
    ]);
    expect(body).toContain('Sign in to choose people.');
  });
});
