// The envelopes of sealed shares in Firefox. Runs where `firefox-esr` is installed: apt-get install firefox-esr, then
// npx vitest run --config tests/vitest.config.ts --project browser-long tests/browser/sealed/vectors-firefox
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/run/process.ts';
import { useServer } from '../../support/run/server.ts';
import { bundleSealed, openedVectors, openVectors } from '../../support/shares/sealed-script.ts';

const firefox = '/usr/bin/firefox-esr';

/** Takes the result of the page; it has an error instead if the script failed. */
let finish: (result: unknown) => void;
const finished = new Promise<unknown>((resolve) => {
  finish = resolve;
});

const report = `${openVectors}
  .catch((error) => ({ failed: String(error) }))
  .then((result) => fetch('/result', { method: 'POST', body: JSON.stringify({ result, agent: navigator.userAgent }) }))`;

const page = async (): Promise<string> =>
  `<!doctype html><meta charset="utf-8"><script>${await bundleSealed()};\n${report}</script>`;

const server = useServer(
  createServer(async (request, response) => {
    if (request.method === 'POST') finish(JSON.parse(await text(request)));
    response.setHeader('content-type', 'text/html');
    response.end(request.url === '/' ? await page() : '');
  }),
);

describe.skipIf(!existsSync(firefox))('sealed envelopes in Firefox', () => {
  it('are those of the vectors, and are sealed again', async () => {
    const home = await temporaryFolder();
    const args = ['--headless', '--no-remote', '--profile', home, server.origin];
    const child = spawn(firefox, args, { env: { HOME: home }, stdio: 'ignore', detached: true });
    // Firefox has processes of its own, in its group.
    onTestFinished(() => void (child.pid && process.kill(-child.pid, 'SIGKILL')));
    const ended = new Promise<never>((_, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}.`)));
    });
    expect(await Promise.race([finished, ended])).toEqual({
      agent: expect.stringContaining('Firefox/'),
      result: openedVectors,
    });
  });
});
