import type { Browser } from 'playwright-core';
import { hasBrowser, launchBrowser } from './browser.ts';

/** The browser of this process, for all its test files: each test has a context of its own. */
export const browser: Browser = hasBrowser ? await launchBrowser() : (undefined as never);
