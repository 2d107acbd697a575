import type { Audience } from '../../../../../../shared/permissions/audiences.ts';
import { transmit } from '../../../../browser/client/transport.ts';
import { post } from '../../../../browser/data/post.ts';

/** What an app may publish. Time in seconds. */
export interface Ceiling {
  readonly maxAudience: Audience;
  readonly maxAge: number;
  readonly sharesPerDay: number;
}

/** An authorization request that a person decides on. */
export interface Question {
  readonly outcome: 'ask';
  readonly client: { readonly name: string };
  /** Where the person is sent back to. */
  readonly redirectHost: string;
  readonly isLoopback: boolean;
  /** Whether the person has allowed the app all of it before. */
  readonly isKnown: boolean;
  /** What it asks for, of what the person may. */
  readonly permissions: readonly string[];
  /** What is proposed; `null` if it asks to publish nothing. */
  readonly ceiling: Ceiling | null;
  readonly limits: { readonly maxAudience: Audience };
}

/** What becomes of an authorization request: a question, or an error that the app gets to know. */
export type Asked = Question | { readonly outcome: 'return'; readonly location: string };

/** The signed-in user. */
export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** What the person decided. Without `permissions`, a known app keeps what it has. */
export interface Decision {
  readonly decision: 'allow' | 'deny';
  readonly permissions?: readonly string[];
  readonly ceiling?: Ceiling;
}

/** A browser waits this long for a response; the gateway itself 30 s. */
const timeoutMs = 60_000;

const read = async (url: string): Promise<unknown> => {
  const init = { credentials: 'same-origin' } as const;
  const { body } = await transmit({ fetch, url, init, timeoutMs, signal: undefined });
  return (body as { data: unknown }).data;
};

/** Reads who is signed in. @throws ApiError */
export const readUser = (): Promise<User> => read('/api/auth/me') as Promise<User>;

/** Reads what becomes of the request in the address of the page. @throws ApiError */
export const readRequest = (): Promise<Asked> =>
  read(`/api/apps/request${location.search}`) as Promise<Asked>;

/** The parameters of a request, by the names that the API has for them. */
const parameters = {
  clientId: 'client_id',
  redirectUri: 'redirect_uri',
  responseType: 'response_type',
  codeChallenge: 'code_challenge',
  codeChallengeMethod: 'code_challenge_method',
  scope: 'scope',
  state: 'state',
  resource: 'resource',
} as const;

/** Returns a parameter of the request. */
export const getParameter = (name: keyof typeof parameters): string | undefined =>
  new URLSearchParams(location.search).get(parameters[name]) ?? undefined;

/** Sends the decision and returns the address that leads back to the app. @throws ApiError */
export const decide = async (decision: Decision): Promise<string> => {
  const names = Object.keys(parameters) as (keyof typeof parameters)[];
  const request = Object.fromEntries(names.map((name) => [name, getParameter(name)]));
  const body = await post('/api/apps/consent', { ...request, ...decision });
  return (body as { data: { location: string } }).data.location;
};
