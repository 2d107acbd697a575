import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';

const root = join(import.meta.dirname, '../..');

/** What pages do with passkeys, and a client of the API for it. */
const entry = `
export * from './functions/web/browser/passkeys/own-passkeys.ts';
export * from './functions/web/browser/passkeys/sign-in.ts';
export * from './functions/web/browser/passkeys/support.ts';
import { createClient } from './functions/web/browser/client/client.ts';
export const client = createClient();
`;

let bundling: Promise<string> | undefined;

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'passkeys',
    write: false,
  });
  return `${outputFiles[0]?.text}\nglobalThis.passkeys = passkeys;`;
};

/** Adds the functions of pages for passkeys to a page, as `passkeys`. */
export const addScript = async (page: Page): Promise<void> => {
  bundling ??= bundle();
  await page.evaluate(await bundling);
};

/** Calls one of them. Returns what it returns, or the name and the message of its error. */
export const run = (page: Page, call: string): Promise<unknown> =>
  page.evaluate(
    `(async () => { try { return (await passkeys.${call}) ?? 'done'; } catch ({ name, message, code, problem }) { return { name, message, reason: code ?? problem }; } })()`,
  );
