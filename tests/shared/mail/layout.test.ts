import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compose, type EmailContent } from '../../../shared/mail/layout.ts';

const content: EmailContent = {
  to: 'ann@example.com',
  subject: 'Reset your password',
  name: 'Ann',
  before: ['Use this link within 1 hour:'],
  action: { label: 'Reset password', url: 'https://handbill.test/reset?token=1' },
  after: ['If you didn’t request this, ignore this email.'],
  signature: 'Replies are not monitored.',
};

const toSixDigits = (color: string): string =>
  color.length === 4 ? color.replaceAll(/[0-9a-f]/g, '$&$&') : color;

const readTokens = () =>
  readFile(new URL('../../../functions/web/browser/styles/tokens.css', import.meta.url), 'utf8');

/** Returns the light and the dark color of a token. */
const findToken = (css: string, name: string): readonly string[] =>
  (css.match(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`))?.slice(1) ?? []).map(
    toSixDigits,
  );

describe('an email', () => {
  it('has one button, in the accent of the pages', async () => {
    const [accent = ''] = findToken(await readTokens(), 'accent');
    const { html } = compose(content);
    expect(accent).toBe('#4350c8');
    expect(html.match(/<a [^>]*style="display:inline-block/g)).toHaveLength(1);
    expect(html).toContain(
      `<td bgcolor="${accent}" style="border-radius:6px;background:${accent}">`,
    );
  });

  it('has only colors of the pages, so that no older palette stays in it', async () => {
    const css = await readTokens();
    const known = new Set((css.match(/#[0-9a-f]{3,6}\b/g) ?? []).map(toSixDigits));
    const used = compose(content).html.match(/(?<!&)#[0-9a-f]{3,6}\b/g) ?? [];
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((color) => !known.has(color))).toEqual([]);
  });

  it('is laid out by tables, 36 rem wide at most', () => {
    const { html } = compose(content);
    expect(html).toContain('max-width:576px');
    expect(html).not.toMatch(/<div|display:(?:flex|grid)|float:/);
    expect(html.match(/<table /g)).toHaveLength(
      html.match(/<table role="presentation" /g)?.length ?? 0,
    );
  });

  it('says the same in plain text', () => {
    expect(compose(content).text).toBe(`Hello Ann,

Use this link within 1 hour:

Reset password:
https://handbill.test/reset?token=1

If you didn’t request this, ignore this email.

-- 
Replies are not monitored.
`);
  });
});
