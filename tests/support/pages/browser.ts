import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell has the same engine without the windows, and takes half the time. */
const shell = '/usr/bin/chromium-headless-shell';

const executablePath = process.env['CHROMIUM'] ?? (existsSync(shell) ? shell : '/usr/bin/chromium');

/** Browser tests are skipped without Chromium, except on CI, where it is required. */
export const hasBrowser = existsSync(executablePath) || process.env['CI'] === 'true';

/** The setting of users who want text of 200 %. It also scales what the styles measure the screen with. */
export const largeText = '--blink-settings=defaultFontSize=32,defaultFixedFontSize=26';

/** Names outside this machine fail at once, and the same way with and without a network. */
const onlyThisMachine =
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost';

/** Launches headless Chromium without background requests and without a GPU process. */
export const launchBrowser = (...settings: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      onlyThisMachine,
      ...settings,
    ],
  });
