// Hostile Markdown in Chromium: on the real page of a share with its policy, and without any.

import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listGroups } from '../../../../functions/routes.ts';
import { decorateHtml } from '../../../../functions/web/layout/rendered-html.ts';
import { createGateway } from '../../../../infra/local/gateway.ts';
import { type Rendered, render, toDocument } from '../../../../shared/markdown/markdown.ts';
import { type HostileKind, hostileKinds } from '../../../support/markdown/hostile/inputs.ts';
import {
  inspectScript,
  runScript,
  watchScript,
} from '../../../support/markdown/hostile/scripts.ts';
import { hasBrowser, launchBrowser } from '../../../support/pages/browser.ts';
import { useServer } from '../../../support/run/server.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

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

/** How many inputs are on a page or in frames at a time, and how many pages are open. */
const groupSize = 25;
const tabCount = 2;

const short = (input: string): string => JSON.stringify(input.slice(0, 200));

const isHttpsImage = (request: Request): boolean =>
  request.resourceType() === 'image' && request.url().startsWith('https://');

/** What stands for itself or for the whole page is a share of its own. */
const isOwnPage = ({ name }: HostileKind): boolean =>
  ['ids and names', 'headings and footnotes', 'front matter'].includes(name);
const ownPages = hostileKinds.filter(isOwnPage);
const commonPages = hostileKinds.filter((kind) => !isOwnPage(kind));

const toGroups = (inputs: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(inputs.length / groupSize) }, (_, at) =>
    inputs.slice(at * groupSize, (at + 1) * groupSize),
  );

const renderAll = async (inputs: readonly string[]): Promise<Rendered[]> => {
  const all: Rendered[] = [];
  for (const input of inputs) {
    all.push(await render(input, { field: 'content', cpuMs: 20_000 }));
  }
  return all;
};

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
    // Nothing else than this service answers.
    browser = await launchBrowser('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
    context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    await context.addInitScript(watchScript);
    ({ token } = await newPerson());
  });
  afterAll(() => browser.close());

  /** Opens the page of a share and returns what is wrong there, or asked for by it. */
  const inspect = async (page: Page, url: string, allowed?: ReadonlySet<string>) => {
    const requests: string[] = [];
    const record = (request: Request) => {
      const path = request.url().replace(url, '/s/id');
      if (!isHttpsImage(request)) requests.push(`${request.resourceType()} ${path}`);
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

  /** Parses documents without a policy. Returns the inputs that ran, or that asked for anything but https images. */
  const run = async (inputs: readonly string[], documents: readonly string[]) => {
    const page = await context.newPage();
    const wrong = new Set<string>();
    let batch: readonly string[] = [];
    page.on('request', (request) => {
      const at = /^input-(\d+)$/.exec(request.frame().name())?.[1];
      if (at !== undefined && !isHttpsImage(request) && !/^about:/.test(request.url())) {
        wrong.add(`${short(batch[Number(at)] ?? '')} asks for ${request.url()}`);
      }
    });
    await page.route('https://empty.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }),
    );
    await page.goto('https://empty.test/');
    for (let from = 0; from < documents.length; from += groupSize) {
      batch = inputs.slice(from, from + groupSize);
      const texts = JSON.stringify(documents.slice(from, from + groupSize));
      const ran = (await page.evaluate(`(${runScript})(${texts})`)) as number[];
      for (const at of ran) wrong.add(`${short(batch[at] ?? '')} runs`);
    }
    await page.close();
    return [...wrong];
  };

  it.each(hostileKinds)('runs and asks nothing without a policy: $name', async ({ inputs }) => {
    const documents = (await renderAll(inputs)).map(({ html, page }) =>
      toDocument(`${html}\n<hr>\n${page}`),
    );
    expect(await run(inputs, documents)).toEqual([]);
  });

  it('would be seen if it ran', async () => {
    const raw = [
      '<img src=x onerror=hit()>',
      '<script>hit()</script>',
      '<a href=javascript:hit()>',
    ];
    const wrong = await run(raw, raw.map(toDocument));
    for (const input of raw) expect(wrong).toContain(`${short(input)} runs`);
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
