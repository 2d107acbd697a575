import type { LoadedServer } from './server.ts';

/** More views than any run has. */
const mostViews = 1_000_000;
const listed = 25;
const accounts = 8;

/** The records that the requests need. */
export interface Site {
  readonly token: string;
  readonly unlimitedShare: string;
  readonly limitedShare: string;
  /** Accounts for logins: several, because writes of one user's sessions are sequential. */
  readonly accounts: readonly { readonly email: string; readonly password: string }[];
}

export const share = { content: '# Notes\n\n- one\n- two\n', language: 'markdown' } as const;
export const document = { title: 'Notes of a meeting', content: '# Notes\n\n- one\n- two\n' };

/** Creates the records through the service's API. */
export const prepareSite = async ({ url, admin }: LoadedServer): Promise<Site> => {
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { id: string; accessToken: string };
    if (response.ok) return answer;
    throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  };
  // Unlike API tokens, access tokens expire within a run.
  const { accessToken } = await post('/api/auth/login', admin);
  const made = await post('/api/auth/tokens', { name: 'load' }, accessToken);
  const { token } = (made as unknown as { data: { token: string } }).data;
  for (let at = 0; at < listed; at++) await post('/api/documents', document, token);
  const people = Array.from({ length: accounts }, (_, at) => ({
    email: `reader-${at}@example.com`,
    password: 'correct horse',
  }));
  for (const person of people) {
    await post('/api/auth/register', {
      ...person,
      name: 'Rea Reader',
      confirmPassword: person.password,
    });
  }
  return {
    token,
    unlimitedShare: (await post('/api/share', share, token)).id,
    limitedShare: (await post('/api/share', { ...share, viewLimit: mostViews }, token)).id,
    accounts: people,
  };
};
