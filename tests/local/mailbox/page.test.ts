import { describe, expect, it } from 'vitest';
import { getPageFile, mailboxPage } from '../../../infra/local/mailbox/page.ts';

describe('the mailbox of the local run', () => {
  it('has each file that its page names', async () => {
    const names = [...mailboxPage('/box').matchAll(/(?:href|src)="\/box\/([\w.]+)"/g)].map(
      ([, name = '']) => name,
    );
    expect(names).toEqual(['mailbox.css', 'mailbox.js']);
    for (const name of names) expect((await getPageFile(name))?.length, name).toBeGreaterThan(0);
  });
});
