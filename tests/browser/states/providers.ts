import {
  connectRefusalPage,
  failurePage,
  leadingPage,
  refusalPage,
} from '../../../functions/web/provider-sign-in/pages.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const provider = { name: 'google', label: 'Google' };
const failure = { provider, next: '/shares', theme: undefined };
const begin = { route: '/login/{provider}', path: '/login/google' } as const;
const callback = {
  route: '/login/{provider}/callback',
  path: '/login/google/callback',
} as const;

/** The pages on the way to a provider and back. */
export const providerStates: readonly PageState[] = [
  {
    ...begin,
    name: 'provider-unavailable',
    reply: () => failurePage('unavailable', failure, false),
  },
  {
    ...callback,
    name: 'provider-signed-in',
    // It leads to itself, where it stays.
    reply: () => leadingPage('Signed in', '#', undefined),
  },
  { ...callback, name: 'provider-expired', reply: () => failurePage('expired', failure, false) },
  {
    ...callback,
    name: 'provider-no-account',
    reply: () => refusalPage('no-account', failure, 'maria@heron.example.com'),
  },
  {
    ...callback,
    name: 'provider-not-connected',
    reply: () => refusalPage('not-connected', failure, 'maria@heron.example.com'),
  },
  {
    ...callback,
    name: 'provider-of-another-user',
    reply: () => connectRefusalPage('of-another-user', failure),
  },
];
