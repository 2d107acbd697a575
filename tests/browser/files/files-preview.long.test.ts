import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { choose, named, openFiles, startFiles } from '../../support/pages/files-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const seconds = 0.25;
const sampleRate = 8_000;

/** Creates a silent recording. */
const createWav = (): Buffer => {
  const bytes = seconds * sampleRate;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  // PCM, mono, 8 bits.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.alloc(bytes, 128)]);
};

const emptyPdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
`;

/** Records a video of a canvas, in the browser. */
const record = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 24 });
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
  const chunks = [];
  recorder.ondataavailable = ({ data }) => chunks.push(data);
  const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  for (let frame = 0; frame < 10; frame++) {
    context.fillStyle = frame % 2 ? 'red' : 'blue';
    context.fillRect(0, 0, 32, 24);
    await new Promise(requestAnimationFrame);
  }
  recorder.requestData();
  recorder.stop();
  await stopped;
  return [...new Uint8Array(await new Blob(chunks).arrayBuffer())];
})()`;

describe.skipIf(!hasBrowser)('the preview of files in a browser', () => {
  /** Uploads a file by the page. */
  const upload = async (page: Page, name: string, bytes: Uint8Array | string) => {
    await page.locator('#choose').setInputFiles([named(name, bytes)]);
    await page.getByRole('button', { name: `Actions for ${name}` }).waitFor();
  };

  const readyState = (page: Page, element: string) =>
    page.locator(`.preview ${element}`).evaluate((media) => (media as HTMLMediaElement).readyState);

  it('shows PDF, audio, video and text, and text without its scripts', async () => {
    const { page, complaints } = await openFiles(browser, await startFiles());
    await upload(page, 'hum.wav', createWav());
    await upload(page, 'clip.webm', Uint8Array.from((await page.evaluate(record)) as number[]));
    await upload(page, 'plan.pdf', emptyPdf);
    await upload(page, 'notes.txt', '<script>parent.document.title = "bad"</script>');

    await choose(page, 'hum.wav', 'Preview');
    await expect.poll(() => readyState(page, 'audio')).toBeGreaterThan(0);
    await inspect(page, 'files-preview-audio');
    await choose(page, 'clip.webm', 'Preview');
    await expect.poll(() => readyState(page, 'video')).toBeGreaterThan(0);
    await inspect(page, 'files-preview-video');

    const [response] = await Promise.all([
      page.waitForResponse(
        (one) => one.status() === 200 && one.headers()['content-type'] === 'application/pdf',
      ),
      choose(page, 'plan.pdf', 'Preview'),
    ]);
    expect(response.headers()['content-disposition']).toMatch(/^inline/);

    await choose(page, 'notes.txt', 'Preview');
    const shown = page.frameLocator('.preview iframe').locator('pre');
    await expect.poll(() => shown.innerText()).toContain('<script>');
    await expect.poll(() => page.locator('.preview iframe').getAttribute('sandbox')).toBe('');
    expect(await page.title()).not.toBe('bad');
    expect(complaints).toEqual([]);
  });

  it('does what an address asks for once', async () => {
    const service = await startFiles();
    const { page } = await openFiles(browser, service, { path: '/files?new' });
    await page.getByRole('dialog', { name: 'New folder' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(`${service.url}/files?upload`);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('upload');
    expect(new URL(page.url()).search).toBe('');
  });
});
