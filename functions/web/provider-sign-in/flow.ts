import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { findCookie } from '../../../shared/auth/find-cookie.ts';
import { type Claims, readToken, signToken } from '../../../shared/auth/tokens.ts';
import { createItemWrite } from '../../../shared/db/transaction.ts';
import type { Provider } from '../../../shared/runtime/provider-settings.ts';
import type { AnswerUse } from '../../api/auth/identities/identity.ts';
import { providerKeys } from './keys.ts';
import type { Checks } from './protocol/authorization.ts';
import { ProviderError } from './protocol/provider-error.ts';

/** A sign-in that is under way at a provider: what its response is checked with, and what follows. */
export type Flow = Claims<'provider'>;

/** What follows from a sign-in. */
export type Purpose = Pick<Flow, 'next' | 'con'>;

const lifetimeMs = 10 * 60_000;

/** The prefix makes browsers require https, this exact host and the path `/`. */
const prefix = '__Host-provider-';

/** Lax, because a provider leads back here from its own site. */
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** Each tab has a cookie of its own. */
const maxFlows = 5;

/** API Gateway refuses requests whose headers have over 10,240 bytes. */
const maxCookieLength = 6_000;

/** A longer page to return to would make a cookie larger than browsers keep. */
const maxNextLength = 2_000;

const nameOf = (state: string): string => `${prefix}${state.slice(0, 12)}`;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

const createSecret = (): string => randomBytes(32).toString('base64url');

const clear = (name: string): string => `${name}=; ${attributes}; Max-Age=0`;

/** Returns `Set-Cookie` values that delete the oldest flows of a browser, so that a new one has room. */
const makeRoom = (cookies: readonly string[], added: number): string[] => {
  const flows = cookies.map((cookie) => cookie.trim()).filter((one) => one.startsWith(prefix));
  let length = added;
  // Browsers send the oldest cookie first.
  const dropped = flows.toReversed().filter((flow, at) => {
    length += flow.length;
    return at + 1 >= maxFlows || length > maxCookieLength;
  });
  return dropped.map((flow) => clear(flow.slice(0, flow.indexOf('='))));
};

/** A flow that begins. */
export interface NewFlow {
  readonly checks: Checks;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** Creates a flow, which its browser keeps in a signed cookie for 10 minutes. `cookies` are those of the request. */
export const createFlow = async (
  { name }: Provider,
  { next, con }: Purpose,
  cookies: readonly string[],
): Promise<NewFlow> => {
  const checks = { state: createSecret(), nonce: createSecret(), verifier: createSecret() };
  const flow: Flow = {
    pro: name,
    st: checks.state,
    non: checks.nonce,
    ver: checks.verifier,
    ...(next !== undefined && next.length <= maxNextLength && { next }),
    ...(con && { con }),
  };
  const cookie = `${nameOf(checks.state)}=${await signToken('provider', flow, lifetimeMs)}`;
  const added = `${cookie}; ${attributes}; Max-Age=${lifetimeMs / 1_000}`;
  return { checks, cookies: [...makeRoom(cookies, cookie.length), added] };
};

/** Returns what a response of a flow is checked with. */
export const getChecks = ({ st, non, ver }: Flow): Checks => ({
  state: st,
  nonce: non,
  verifier: ver,
});

/** Returns the flow of this browser that a response of a provider belongs to; `undefined` if there is none, or none any more. */
export const findFlow = async (
  { name }: Provider,
  state: string,
  cookies: readonly string[],
): Promise<Flow | undefined> => {
  const flow = await readToken('provider', findCookie(nameOf(state), cookies));
  if (flow?.pro !== name) return undefined;
  return timingSafeEqual(hash(flow.st), hash(state)) ? flow : undefined;
};

/** Returns the `Set-Cookie` value that ends a flow. */
export const endFlow = ({ st }: Flow): string => clear(nameOf(st));

/** Records that the response of a flow is used, in the transaction of what follows. A second use is refused there. */
export const consumeResponse = ({ st }: Flow): AnswerUse => {
  const key = providerKeys.usedResponse.at({ hash: hash(st).toString('base64url') });
  // Beyond the cookie's end, the clocks of functions may differ.
  const ttl = Math.ceil((Date.now() + 2 * lifetimeMs) / 1_000);
  return {
    write: createItemWrite(key, { ttl }),
    refused: () => new ProviderError('expired', 'response used before'),
  };
};
