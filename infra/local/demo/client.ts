import type { Username } from './team.ts';

/** Sends JSON, or a form, with a session or another token, and returns the response or its `data`. */
export type Ask = <T = unknown>(
  endpoint: string,
  body: object | URLSearchParams,
  token?: string,
) => Promise<T>;

/** Requests by the demo's people to the running service. */
export interface Client {
  /** Signs in with a password; later requests by this person need no sign-in. */
  signIn(who: Username, email: string, password: string): Promise<void>;
  /** Signs in for what no API token can do. */
  openSession(email: string, password: string): Promise<Ask>;
  /** Sends JSON, or a form, and returns `data` of the response. */
  send<T = { readonly id: number }>(
    who: Username,
    endpoint: string,
    body?: object | FormData,
  ): Promise<T>;
  /** Opens a page as a visitor with a browser. */
  visit(path: string, browser: string): Promise<void>;
  /** Sends the form of a page as a visitor. */
  submit(path: string, form: FormData | URLSearchParams): Promise<void>;
}

/** Time to wait for a response. */
const timeoutMs = 30_000;

/** Creates a client of a service at a URL. */
export const createClient = (url: string): Client => {
  const tokens = new Map<string, string>();
  const request = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(new URL(path, url), {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...init,
    });
    if (response.ok) return response;
    throw new Error(`The demo's ${method} ${path} failed: ${await response.text()}`);
  };
  const json = (body: object): RequestInit => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const sendAs = async (
    token: string | undefined,
    endpoint: string,
    body: object | FormData | URLSearchParams | undefined,
  ) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const content = isForm ? { body } : body && json(body);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(!isForm && body && { 'content-type': 'application/json' }),
    };
    const response = await request(method, path, { ...content, headers });
    const answer = await response.json();
    return answer.data ?? answer;
  };
  const openSession: Client['openSession'] = async (email, password) => {
    const signedIn = await request('POST', '/api/auth/login', json({ email, password }));
    const { accessToken } = (await signedIn.json()) as { accessToken: string };
    return (endpoint, body, token = accessToken) => sendAs(token, endpoint, body);
  };
  return {
    openSession,
    signIn: async (who, email, password) => {
      const ask = await openSession(email, password);
      // An API token outlives the weeks that pass while the demo is filled.
      const created = { name: 'Editor plug-in', expiresInDays: 90 };
      tokens.set(who, (await ask<{ token: string }>('POST /api/auth/tokens', created)).token);
    },
    send: (who, endpoint, body) => sendAs(tokens.get(who), endpoint, body),
    visit: async (path, browser) => {
      await (await request('GET', path, { headers: { 'user-agent': browser } })).arrayBuffer();
    },
    submit: async (path, form) => {
      await (await request('POST', path, { body: form })).arrayBuffer();
    },
  };
};
