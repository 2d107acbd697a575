import type { Page } from 'playwright-core';
import type { DemoService } from '../../support/pages/demo-service.ts';
import type { PageState } from '../../support/pages/page-state.ts';
import { type SealedInput, shareSealed } from '../../support/sealed/share-sealed.ts';

const route = '/s/{id}';
const passphrase = 'quiet harbour';

const text = `# Handover

The alarm has a new code, and the safe opens with *4711-Falke*.

## Keys

- [x] Front door, with Luca
- [ ] Archive

## Script

\`\`\`ts title="open.ts"
const safe = await find('archive');
await safe.open();
\`\`\`

## Calls

| Who | When |
|---|---|
| Nadia | Monday |
`;

const page = `<!doctype html><title>Plan</title><style>body { margin: 3rem; font: 1rem system-ui }</style>
<h1>Plan of the archive</h1><p>The second door is the one with the lamp.</p>`;

const files = { 'plans/archive.txt': 'Left, then right', 'keys.csv': 'Door,Key' };

/** Seals a share of this state alone. */
const newSealed = async (demo: DemoService, input: SealedInput = {}) => {
  const client = await demo.as('luca');
  // The endpoints are given as texts.
  const call = client.call as (endpoint: string, options: object) => Promise<never>;
  return shareSealed((endpoint, body) => call(endpoint, { body }), input);
};

const sealed =
  (input: SealedInput, withKey = true) =>
  async (demo: DemoService): Promise<string> => {
    const { id, fragment } = await newSealed(demo, input);
    return `/s/${id}${withKey ? `#${fragment}` : ''}`;
  };

const sealedReport = async (demo: DemoService): Promise<string> =>
  `/s/${(await newSealed(demo)).id}/report`;

const open = async (shown: Page): Promise<void> => {
  await shown.getByRole('button', { name: 'Open snippet' }).click();
  await shown.locator('.reader-bar').waitFor();
};

/** The page of a sealed share, before and after it is opened. */
export const sealedStates: readonly PageState[] = [
  { name: 'sealed-key', route, path: sealed({ text, options: { viewLimit: 3 } }) },
  { name: 'sealed-no-key', route, path: sealed({ text }, false) },
  { name: 'sealed-no-key-own', route, path: sealed({ text }, false), as: 'luca' },
  {
    name: 'sealed-passphrase',
    route,
    path: sealed({ text, passphrase }),
    act: async (shown) => {
      await shown.getByLabel('Passphrase').fill('quiet');
      await shown.getByRole('button', { name: 'Open snippet' }).click();
      await shown.getByText('Incorrect passphrase.').waitFor();
    },
  },
  {
    name: 'sealed-opened',
    route,
    path: sealed({ text, files, options: { title: 'Handover', viewLimit: 3 } }),
    act: open,
  },
  {
    name: 'sealed-own',
    route,
    path: sealed({ text, options: { title: 'Handover' } }),
    as: 'luca',
    act: open,
  },
  {
    name: 'sealed-html',
    route,
    path: sealed({ text: page, language: 'html', files, options: { title: 'Plan' } }),
    act: async (shown) => {
      await open(shown);
      await shown.frameLocator('iframe').getByText('Plan of the archive').waitFor();
    },
  },
  {
    name: 'sealed-menu',
    route,
    path: sealed({ text, options: { readersCanEnd: true } }),
    act: async (shown) => {
      await open(shown);
      await shown.getByRole('button', { name: 'More actions' }).click();
    },
  },
  { name: 'sealed-report', route: '/s/{id}/report', path: sealedReport },
];
