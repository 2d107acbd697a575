import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { startFreshService } from '../support/run/fresh-service.ts';
import { send } from '../support/run/process.ts';

/** Set this to a folder to store screenshots. */
const screenshots = process.env['SCREENSHOTS'];

const hostile = `<h1>Hostile</h1><ul></ul><script>
const tell = (text) => { document.querySelector('ul').innerHTML += '<li>' + text + '</li>'; };
const attempt = (name, act) => { try { tell(name + ': ' + act()); } catch (error) { tell(name + ' refused'); } };
tell('script runs');
attempt('origin', () => self.origin);
attempt('parent', () => parent.document.title);
attempt('top', () => { top.location = 'https://evil.test/'; return 'moved'; });
attempt('cookie', () => document.cookie);
attempt('storage', () => localStorage.length);
fetch(document.referrer || location.origin).then(() => tell('fetch done'), () => tell('fetch refused'));
</script>`;

describe.skipIf(!hasBrowser)('in a browser', () => {
  const startShare = async (body: Record<string, unknown>) => {
    const service = await startFreshService();
    const registered = await send(`${service.url}/api/auth/register`, {
      method: 'POST',
      body: {
        email: 'ann@example.com',
        name: 'Ann',
        password: 'correct horse',
        confirmPassword: 'correct horse',
      },
    });
    const { token } = registered.body;
    const share = await send(`${service.url}/api/share`, { method: 'POST', token, body });
    expect(share.status).toBe(201);
    return { service, token, id: share.body.id as string, url: share.body.url as string };
  };

  /** Opens a page and records console errors. */
  const openPage = async (url: string): Promise<{ page: Page; complaints: string[] }> => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    return { page, complaints };
  };

  const keep = async (page: Page, name: string): Promise<void> => {
    if (screenshots === undefined) return;
    await mkdir(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  };

  it('shows a Markdown share with its style and without errors', async () => {
    const content =
      '# Hello\n\nShared with **Handbill** & ~~love~~.\n\n- [x] done\n- [ ] to do\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nconst answer = 42;\n```\n\n> A quote with `code`.\n';
    const { url } = await startShare({
      content,
      language: 'markdown',
      title: 'A note & more',
      description: 'What it is about',
    });
    const { page, complaints } = await openPage(url);
    expect(await page.title()).toBe('A note & more');
    expect(await page.locator('main .prose h1').innerText()).toMatch(/^Hello/);
    expect(await page.locator('.lead').innerText()).toBe('What it is about');
    expect(await page.locator('td').allInnerTexts()).toEqual(['1', '2']);
    const checkbox = await page.locator('li input').first().boundingBox();
    expect(checkbox?.width).toBeLessThan(30);
    expect((await page.locator('.prose').boundingBox())?.width).toBe(688);
    expect(complaints).toEqual([]);
    await keep(page, 'markdown');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 700 });
    await keep(page, 'markdown-dark-narrow');
  });

  it('isolates a hostile snippet that runs in its frame', async () => {
    const { url } = await startShare({ content: hostile, title: 'Hostile' });
    const { page } = await openPage(url);
    const items = page.frameLocator('iframe').locator('li');
    await items.filter({ hasText: 'fetch' }).waitFor();
    expect((await items.allInnerTexts()).sort()).toEqual([
      'cookie refused',
      'fetch refused',
      'origin: null',
      'parent refused',
      'script runs',
      'storage refused',
      'top refused',
    ]);
    expect(page.url()).toBe(url);
    await keep(page, 'html');
  });

  it('shows the API documentation without requests to other hosts', async () => {
    const { url } = await startFreshService();
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const hosts = new Set<string>();
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
    });
    await page.goto(`${url}/api/docs`);
    await page.locator('#operations-tag-share').click();
    const operations = page.locator('.opblock-summary-path');
    await operations.first().waitFor();
    expect(await operations.allInnerTexts()).toContain('/api/share');
    expect([...hosts]).toEqual([url]);
    await keep(page, 'docs');
  });

  it('opens a protected, limited share by its password and shows it again on reload', async () => {
    const { service, token, id, url } = await startShare({
      content: '<h1>Only once</h1>',
      password: 'Abc123',
      viewLimit: 1,
    });
    const { page, complaints } = await openPage(url);
    await keep(page, 'confirm');
    await page.getByLabel('Password').fill('wrong1');
    await page.getByRole('button', { name: 'Open snippet' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('Incorrect password. Try again.');
    await keep(page, 'wrong-password');
    await page.getByLabel('Password').fill('Abc123');
    await page.getByRole('button', { name: 'Open snippet' }).click();
    const heading = page.frameLocator('iframe').locator('h1');
    expect(await heading.innerText()).toBe('Only once');
    await page.reload();
    expect(await heading.innerText()).toBe('Only once');
    const own = await send(`${service.url}/api/share?id=${id}&mine=true`, { token });
    expect(own.body.views).toBe(1);

    const late = await openPage(url);
    expect(await late.page.locator('h1').innerText()).toBe('This share has reached its view limit');
    await keep(late.page, 'gone');
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
