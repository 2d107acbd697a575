import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Without Chromium the browser's tests are skipped; on CI it has to be there. */
export const hasBrowser = existsSync(executablePath) || process.env['CI'] === 'true';

/** Chromium, headless, that calls nobody by itself, without a process that would draw in software as a GPU does. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
    ],
  });
