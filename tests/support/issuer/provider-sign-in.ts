import type { Person } from '../../../infra/local/issuer/issuer.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import type { TestIssuer } from './use-issuer.ts';

/** The cookies that a browser keeps of an answer. */
export const keptCookies = ({ cookies = [] }: Answer): string[] =>
  cookies
    .filter((cookie) => !cookie.includes('Max-Age=0'))
    .map((cookie) => cookie.split(';')[0] ?? '');

/** Begins a sign-in at a provider. */
export const begin = (
  name: string,
  { query, cookies }: Pick<CallOptions, 'query' | 'cookies'> = {},
): Promise<Answer> =>
  call('GET /login/{provider}', {
    params: { provider: name },
    ...(query && { query }),
    ...(cookies && { cookies }),
    headers: { accept: 'text/html' },
  });

/** Opens the address that a provider leads back to, as a browser does that comes from another site. */
export const comeBack = (
  { pathname, searchParams }: URL,
  cookies: readonly string[],
  options: CallOptions = {},
): Promise<Answer> =>
  call('GET /login/{provider}/callback', {
    params: { provider: pathname.split('/')[2] ?? '' },
    query: Object.fromEntries(searchParams),
    cookies,
    ...options,
    headers: { accept: 'text/html', 'sec-fetch-site': 'cross-site' },
  });

/** Signs in at a provider as someone. `cookies` are those that the browser already has. */
export const signInAt = async (
  issuer: TestIssuer,
  person: Person,
  { query, cookies = [] }: Pick<CallOptions, 'query' | 'cookies'> = {},
): Promise<Answer> => {
  const begun = await begin(issuer.name, { ...(query && { query }), cookies });
  const back = await issuer.visit(begun.headers['location'] ?? '', person);
  return comeBack(back, [...cookies, ...keptCookies(begun)]);
};
