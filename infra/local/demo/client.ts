import type { Username } from './team.ts';

/** Requests by the demo's people to the running service. */
export interface Client {
  /** Signs in with a password; later requests by this person need no sign-in. */
  signIn(who: Username, email: string, password: string): Promise<void>;
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
  return {
    signIn: async (who, email, password) => {
      const signedIn = await request('POST', '/api/auth/login', json({ email, password }));
      const { accessToken } = (await signedIn.json()) as { accessToken: string };
      // An API token outlives the weeks that pass while the demo is filled.
      const created = await request('POST', '/api/auth/tokens', {
        ...json({ name: 'Editor plug-in', expiresInDays: 90 }),
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      });
      tokens.set(who, ((await created.json()) as { data: { token: string } }).data.token);
    },
    send: async (who, endpoint, body) => {
      const [method = '', path = ''] = endpoint.split(' ');
      const isForm = body instanceof FormData;
      const content = isForm ? { body } : body && json(body);
      const headers = {
        authorization: `Bearer ${tokens.get(who)}`,
        ...(!isForm && body && { 'content-type': 'application/json' }),
      };
      const response = await request(method, path, { ...content, headers });
      const answer = await response.json();
      return answer.data ?? answer;
    },
    visit: async (path, browser) => {
      await (await request('GET', path, { headers: { 'user-agent': browser } })).arrayBuffer();
    },
    submit: async (path, form) => {
      await (await request('POST', path, { body: form })).arrayBuffer();
    },
  };
};
