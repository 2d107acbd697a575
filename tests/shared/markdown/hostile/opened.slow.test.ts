// Hostile Markdown in Chromium, on the real page of a share with its policy. `unguarded.long.test.ts` opens it without one.

import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listGroups } from '../../../../functions/routes.ts';
import { decorateHtml } from '../../../../functions/web/layout/rendered-html.ts';
import { createGateway } from '../../../../infra/local/gateway.ts';
import { hasBrowser, launchBrowser } from '../../../support/pages/browser.ts';
import { useServer } from '../../../support/run/server.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { type HostileKind, hostileKinds } from './inputs/inputs.ts';
import { isHttpsImage, offline, renderAll, short, toGroups } from './inputs/opening.ts';
import { inspectScript, watchScript } from './inputs/scripts.ts';

interface Inspected {
  readonly found: string[];
  /** The page’s own elements in their order. */
  readonly own: string[];
  /** The addresses in the list of contents. */
  readonly contents: string[];
}

/** Stands before each input, so that its page has a list of contents. */
const before = '# One\n\n# Two\n\n# Three\n\n';
const harmless = 'A text.';

/** How many pages are open at a time. */
const tabCount = 2;

/** What stands for itself or for the whole page is a share of its own. */
const isOwnPage = ({ name }: HostileKind): boolean =>
  ['ids and names', 'headings and footnotes', 'front matter'].includes(name);
const ownPages = hostileKinds.filter(isOwnPage);
const commonPages = hostileKinds.filter((kind) => !isOwnPage(kind));

/** Markup as it would be if nothing made it harmless, and what is found of it. */
const controls: readonly (readonly [string, RegExp])[] = [
  ['<script>hit()</script>', /^report: script-src/],
  ['<img src="https://a.example/" onerror=hit()>', /^report: script-src-attr/],
  ['<p style="color:red">a</p>', /^report: style-src-attr/],
  ['<img src="http://evil.example/a.png">', /^report: img-src/],
  ['<img src="/health">', /^report: img-src/],
  ['<iframe src="https://evil.example/"></iframe>', /^report: frame-src/],
  ['<base href="https://evil.example/">', /^report: base-uri/],
  ['<meta http-equiv=refresh content="0;url=/health">', /^(?:left|broken|request)/],
  ['</div></main><p>a', /^another page/],
  ['<plaintext>', /^another page/],
  ['<select>', /^another page/],
  ['<div>', /^no end/],
  ['<img name=getElementById>', /^another #|^document\./],
  ['<form></form>', /^a form/],
  ['</div></main><math><mspace width="9000px"></mspace></math>', /^stretched/],
];

useTable();

describe.skipIf(!hasBrowser)('hostile Markdown in a browser', () => {
  const server = useServer(createGateway(listGroups('service'), () => undefined));
  let browser: Browser;
  let context: BrowserContext;
  let token: string;
  beforeAll(async () => {
    browser = await launchBrowser(offline);
    context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    await context.addInitScript(watchScript);
    ({ token } = await newPerson());
  });
  afterAll(() => browser.close());

  /** Opens the page of a share and returns what is wrong there, or asked for by it. */
  const inspect = async (page: Page, url: string, allowed?: ReadonlySet<string>) => {
    const requests: string[] = [];
    const record = (request: Request) => {
      const address = request.url();
      // The service's own scripts come and go with what a page has.
      if (isHttpsImage(request) || address.startsWith(`${server.origin}/assets/`)) return;
      requests.push(`${request.resourceType()} ${address.replace(url, '/s/id')}`);
    };
    page.on('request', record);
    try {
      await page.goto(url, { waitUntil: 'load' });
      const inspected = (await page.evaluate(inspectScript)) as Inspected;
      if (page.url() !== url) inspected.found.push(`left for ${page.url()}`);
      const others = allowed ? requests.filter((one) => !allowed.has(one)) : [];
      inspected.found.push(...others.map((one) => `request: ${one}`));
      return { ...inspected, requests };
    } catch (error) {
      return { found: [`broken: ${error}`], own: [], contents: [], requests };
    } finally {
      page.off('request', record);
    }
  };

  const share = async (content: string): Promise<string> => {
    const body = { content, language: 'markdown', title: 'A share' };
    const response = await call('POST /api/share', { token, body });
    expect(response.status, short(content)).toBe(201);
    return `${server.origin}/s/${response.body.id}`;
  };

  const openHarmless = async (start: string) => {
    const url = await share(start + harmless);
    const page = await context.newPage();
    const known = await inspect(page, url);
    expect(known).toMatchObject({ found: [] });
    await page.close();
    return { ...known, url, requests: new Set(known.requests) };
  };
  type Known = Awaited<ReturnType<typeof openHarmless>>;
  let withContents: Known;
  let without: Known;
  beforeAll(async () => {
    withContents = await openHarmless(before);
    without = await openHarmless('');
  });

  const compare = ({ found, own, contents }: Inspected, known: Known): string[] => [
    ...found,
    ...(own.join('\n') === known.own.join('\n') ? [] : ['another page']),
    ...(known.contents.every((address, at) => contents[at] === address) ? [] : ['other contents']),
  ];

  /** Shows fragments in place of the harmless text on its page. Returns what is wrong. */
  const inspectFragments = async (page: Page, fragments: readonly string[]) => {
    const { url } = withContents;
    await page.route(url, async (route) => {
      const response = await route.fetch();
      // A line between two is within the article only if the one before it has ended.
      const marked = fragments.map((fragment) => `${fragment}<hr class="between">`).join('\n');
      const body = (await response.text()).replace(`<p>${harmless}</p>`, () => marked);
      await route.fulfill({ response, body });
    });
    const found = compare(await inspect(page, url, withContents.requests), withContents);
    const ends = await page
      .evaluate("document.querySelectorAll('body > main > .prose > hr.between').length")
      .catch(() => 0);
    await page.unroute(url);
    return ends === fragments.length ? found : [...found, 'no end'];
  };

  /** Does the work of groups in some tabs. */
  const inTabs = async <Work>(
    works: readonly Work[],
    act: (page: Page, work: Work) => Promise<void>,
  ) => {
    const waiting = [...works];
    const run = async () => {
      const page = await context.newPage();
      for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
        await act(page, work);
      }
      await page.close();
    };
    await Promise.all(Array.from({ length: tabCount }, run));
  };

  it.each(ownPages)('leaves the page of its share alone: $name', async ({ inputs, isFirst }) => {
    const [start, known] = isFirst ? ['', without] : [before, withContents];
    const wrong: Record<string, string[]> = {};
    await inTabs(inputs, async (page, input) => {
      const inspected = await inspect(page, await share(start + input), known.requests);
      const found = compare(inspected, known);
      if (found.length > 0) wrong[short(input)] = found;
    });
    expect(wrong).toEqual({});
  });

  it.each(commonPages)('leaves the page of shares alone: $name', async ({ inputs }) => {
    const wrong: Record<string, string[]> = {};
    await inTabs(toGroups(inputs), async (page, group) => {
      const fragments = await renderAll(group);
      const pages = fragments.map((one) => decorateHtml(one.page));
      if ((await inspectFragments(page, pages)).length === 0) return;
      for (const [at, input] of group.entries()) {
        const found = await inspectFragments(page, [pages[at] ?? '']);
        if (found.length > 0) wrong[short(input)] = found;
      }
    });
    expect(wrong).toEqual({});
  });

  it('would be seen if it changed the page', async () => {
    const unseen: string[] = [];
    await inTabs(controls, async (page, [raw, finding]) => {
      const found = await inspectFragments(page, [raw]);
      if (!found.some((one) => finding.test(one))) unseen.push(`${raw}: ${found}`);
    });
    expect(unseen).toEqual([]);
  });
});
