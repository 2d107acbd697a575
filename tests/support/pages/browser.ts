import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Browser tests are skipped without Chromium, except on CI, where it is required. */
export const hasBrowser = existsSync(executablePath) || process.env['CI'] === 'true';

/** Launches headless Chromium without background requests and without a GPU process. */
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
