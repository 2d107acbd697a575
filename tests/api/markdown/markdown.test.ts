import { describe, expect, it, vi } from 'vitest';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';
import { call } from '../../support/service/call.ts';

/** Exceeds the CPU limit. */
const slow = `${'- '.repeat(8_000)}x${'\n'.repeat(100)}`;

const ofShare = { field: 'content', cpuMs: 1_000 };

const busy = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service is busy. Try again.',
  headers: { 'retry-after': '5' },
};

const convert = (markdown: unknown) => call('POST /api/markdown', { body: { markdown } });

describe('POST /api/markdown', () => {
  it('returns a complete document without signing in', async () => {
    const { status, body } = await convert('# Hi\n\n- [x] done\n\n| a |\n|---|\n| b |\n');
    expect(status).toBe(200);
    expect(body.markdown).toBe('# Hi\n\n- [x] done\n\n| a |\n|---|\n| b |\n');
    expect(body.message).toBe('Converted to HTML');
    expect(body.html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>/);
    expect(body.html).toContain('<h1>Hi</h1>');
    expect(body.html).toContain('<input type="checkbox" disabled="" checked="" />');
    expect(body.html).toContain('<td>b</td>');
  });

  it('neutralizes raw HTML and dangerous URLs', async () => {
    const { body } = await convert('<script>alert(1)</script>\n\n[x](javascript:alert(1))');
    expect(body.html).not.toContain('<script');
    expect(body.html).not.toContain('javascript:');
  });

  it('returns the first 1,000 characters of a longer source', async () => {
    const source = '😀'.repeat(1_001);
    expect((await convert(source)).body.markdown).toBe(`${'😀'.repeat(1_000)}…`);
    expect((await convert('x'.repeat(1_000))).body.markdown).toBe('x'.repeat(1_000));
  });

  it.each([
    [undefined, 'is required'],
    ['', 'must not be empty'],
  ])('rejects %o', async (markdown, message) => {
    expect(await convert(markdown)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'markdown', message }] } },
    });
  });

  it('returns 413 for more than 256 KB of source', async () => {
    expect((await convert('x'.repeat(256 * 1024))).status).toBe(200);
    expect((await convert('x'.repeat(256 * 1024 + 1))).body.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('returns 413 for more than 4 MB of HTML', async () => {
    const table = `${'|a'.repeat(700)}|\n${'|-'.repeat(700)}|\n${'b\n'.repeat(900)}`;
    expect(await convert(table)).toMatchObject({
      status: 413,
      body: { error: { code: 'PAYLOAD_TOO_LARGE', details: [{ field: 'markdown' }] } },
    });
  });

  it('aborts slow conversions, which delay neither other sources nor shares', async () => {
    // A worker for shares is there, as after the first of them.
    await render('# Hi', ofShare);
    let isHeld = true;
    const refused = convert(slow).finally(() => {
      isHeld = false;
    });
    const served = convert('# Still here');
    expect((await render('# Hi', ofShare)).html).toBe('<h1>Hi</h1>');
    expect(isHeld).toBe(true);
    expect(await refused).toMatchObject({
      status: 422,
      body: { error: { code: 'UNPROCESSABLE', details: [{ field: 'markdown' }] } },
    });
    expect((await served).body.html).toContain('<h1>Still here</h1>');
  });

  it('converts any number of concurrent sources', async () => {
    // Bypasses the rate limiter, which passes requests one by one.
    const many = Array.from({ length: 200 }, (_, at) => toHtml(`# ${at}`));
    expect(await Promise.all(many)).toEqual(many.map((_, at) => `<h1>${at}</h1>`));
  });

  it.each([
    ['a source', 5, toHtml, toHtml],
    [
      'a share',
      15,
      (markdown: string) => render(markdown, ofShare),
      (markdown: string) => render(markdown, { ...ofShare, cpuMs: 100 }),
    ],
  ] as const)(
    'returns 503 after %s waits %i s for the worker',
    async (_, seconds, convertOne, hold) => {
      await convertOne('# Hi');
      const held = hold(slow).catch((error) => error.code);
      // The worker has begun, within the limits of real time.
      await new Promise((resolve) => void setImmediate(resolve));
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const late = convertOne('# Hi').catch((error) => error);
      vi.advanceTimersByTime(1_000 * seconds - 1);
      expect(await Promise.race([late, 'it waits'])).toBe('it waits');
      vi.advanceTimersByTime(1);
      expect(await late).toMatchObject(busy);
      vi.useRealTimers();
      expect(await held).toBe('UNPROCESSABLE');
      expect(await convertOne('# Hi')).toBeTruthy();
    },
  );

  it('returns 503 if the waiting sources exceed 32 MB', async () => {
    const held = toHtml(slow).catch((error) => error.code);
    await new Promise((resolve) => void setImmediate(resolve));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const source = 'x'.repeat(256 * 1024);
    const waiting = Array.from({ length: 64 }, () => toHtml(source).catch((error) => error));
    await expect(toHtml('# Hi')).rejects.toMatchObject(busy);
    // None of them need be converted.
    vi.advanceTimersByTime(5_000);
    for (const one of await Promise.all(waiting)) expect(one).toMatchObject(busy);
    vi.useRealTimers();
    expect(await held).toBe('UNPROCESSABLE');
    expect((await convert('# Hi')).status).toBe(200);
  });
});
