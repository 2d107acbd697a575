import { errorPage } from '../../../functions/web/layout/error-page.ts';
import type { PageState } from '../../support/pages/page-state.ts';

const request = {
  requestId: '7c0f7a3e-2d4f-4c43-9a0f-5e1f0a6f2b11',
  prefersHtml: true,
  method: 'GET',
  query: '',
  path: '/',
  cookies: [],
};

const errors = [
  [429, 'RATE_LIMITED', 'Too many attempts. Try again in 40 seconds.'],
  [500, 'INTERNAL_ERROR', 'Internal error.'],
  [503, 'SERVICE_UNAVAILABLE', 'Busy. Try again.'],
] as const;

/** Pages of errors that a running service doesn't show at will. */
export const errorStates: readonly PageState[] = errors.map(([status, code, message]) => ({
  name: `error-${status}`,
  path: '/',
  status,
  reply: () => errorPage({ ...request, status, code, message }),
}));
