import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorPage, replyWithErrorPage } from '../../functions/web/layout/error-page.ts';
import { pagePolicy } from '../../functions/web/layout/policy.ts';
import { call } from '../support/service/call.ts';

const failure = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'Not found.',
  requestId: 'request-1',
  prefersHtml: true,
  path: '/nowhere',
  cookies: [],
};

const outline = (page: string) => ({
  title: page.match(/<title>(.*)<\/title>/)?.[1],
  heading: page.match(/<h1>(.*)<\/h1>/)?.[1],
  text: page.match(/<\/h1><p>(.*?)<\/p>/)?.[1],
  footer: page.match(/<footer>(.*)<\/footer>/)?.[1],
});

describe('the page of an error', () => {
  it.each([
    [403, 'FORBIDDEN', 'Ask for access.', 'No access', 'Ask for access.'],
    [404, 'NOT_FOUND', 'x', 'Page not found', 'The address is wrong, or the page was removed.'],
    [405, 'METHOD_NOT_ALLOWED', 'Allowed: GET.', 'Not supported', 'Allowed: GET.'],
    [410, 'GONE', 'This share has ended.', 'No longer available', 'This share has ended.'],
    [429, 'RATE_LIMITED', 'Try again in 1 hour.', 'Too many attempts', 'Try again in 1 hour.'],
    [500, 'INTERNAL_ERROR', 'x', 'Something went wrong', 'This is our fault. Try again later.'],
    [
      503,
      'SERVICE_UNAVAILABLE',
      'x',
      'Temporarily unavailable',
      'The service is busy. Try again in a moment.',
    ],
    [418, 'NEW', 'A new error.', 'This didn’t work', 'A new error.'],
  ])('%i %s says what happened and which request it was', (status, code, message, title, text) => {
    expect(outline(errorPage({ ...failure, status, code, message }))).toEqual({
      title: `${title} · Handbill`,
      heading: title,
      text,
      footer: `Error ${status} · Request request-1`,
    });
  });

  it('has a drawing, one way on, nothing inline and no script', () => {
    const page = errorPage(failure);
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    expect(main).toContain('<svg class="scene" viewBox="0 0 304 210" aria-hidden="true">');
    expect([...main.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, path]) => path)).toEqual(['/']);
    expect(page).not.toMatch(/<script|<style| on\w+=| style=/);
  });

  it('shows messages as text, in the chosen colors', () => {
    const page = errorPage({
      ...failure,
      code: 'GONE',
      message: '<b>“Plans”</b> has ended.',
      cookies: ['theme=dark'],
    });
    expect(page).toContain('&lt;b&gt;“Plans”&lt;/b&gt; has ended.');
    expect(page).toContain('<html lang="en" data-theme="dark">');
  });

  it('is for browsers only', () => {
    expect(replyWithErrorPage(failure)?.headers).toEqual({
      'content-security-policy': pagePolicy(),
    });
    expect(replyWithErrorPage({ ...failure, prefersHtml: false })).toBeUndefined();
  });
});

describe.each(['/login', '/register'])('GET %s, when it fails', (path) => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('answers a page to browsers and JSON to programs', async () => {
    vi.stubEnv('REGISTRATION', 'sometimes');
    const page = await call(`GET ${path}`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      500,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(outline(page.body).heading).toBe('Something went wrong');
    expect(page.body).toContain(`Request ${page.headers['x-request-id']}`);
    const { status, body } = await call(`GET ${path}`, { headers: { accept: '*/*' } });
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  });
});
