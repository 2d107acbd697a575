// Hostile Markdown in Chromium: on the real page of a share with its policy, and without any.

import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listGroups } from '../../../../functions/routes.ts';
import { createGateway } from '../../../../infra/local/gateway.ts';
import { render, toDocument } from '../../../../shared/markdown/markdown.ts';
import { type HostileKind, hostileKinds } from '../../../support/markdown/hostile/kinds.ts';
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
const before = '# One\n\n## Two\n\n## Three\n\n';
const harmless = 'A text.';

/** How many inputs are open at a time. */
const tabCount = 3;
const batchSize = 20;

const short = (input: string): string => JSON.stringify(input.slice(0, 200));

const isHttpsImage = (request: Request): boolean =>
  request.resourceType() === 'image' && request.url().startsWith('https://');

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
    const page = await context.newPage();
    const url = await share(start + harmless);
    const known = await inspect(page, url);
    expect(known).toMatchObject({ found: [] });
    await page.close();
    return { ...known, url, requests: new Set(known.requests) };
  };
  type Known = Awaited<ReturnType<typeof openHarmless>>;

  const compare = ({ found, own, contents }: Inspected, known: Known): string[] => [
    ...found,
    ...(own.join('\n') === known.own.join('\n') ? [] : ['another page']),
    ...(known.contents.every((address, at) => contents[at] === address) ? [] : ['other contents']),
  ];

  it.each(hostileKinds)('leaves the page of a share alone: $name', async (kind: HostileKind) => {
    const start = kind.isFirst ? '' : before;
    const known = await openHarmless(start);
    const wrong: Record<string, string[]> = {};
    const waiting = [...kind.inputs];
    const work = async () => {
      const page = await context.newPage();
      for (let input = waiting.shift(); input !== undefined; input = waiting.shift()) {
        const url = await share(start + input);
        const found = compare(await inspect(page, url, known.requests), known);
        if (found.length > 0) wrong[short(input)] = found;
      }
      await page.close();
    };
    await Promise.all(Array.from({ length: tabCount }, work));
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
    for (let from = 0; from < documents.length; from += batchSize) {
      batch = inputs.slice(from, from + batchSize);
      const texts = JSON.stringify(documents.slice(from, from + batchSize));
      const ran = (await page.evaluate(`(${runScript})(${texts})`)) as number[];
      for (const at of ran) wrong.add(`${short(batch[at] ?? '')} runs`);
    }
    await page.close();
    return [...wrong];
  };

  it.each(hostileKinds)('runs and asks nothing without a policy: $name', async ({ inputs }) => {
    const documents: string[] = [];
    for (const input of inputs) {
      const { html, page } = await render(input, { field: 'content', cpuMs: 20_000 });
      documents.push(toDocument(`${html}\n<hr>\n${page}`));
    }
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

  it.each([
    ['a script', '<script>hit()</script>', /^report: script-src/],
    ['an event', '<img src="https://a.example/" onerror=hit()>', /^report: script-src-attr/],
    ['a style', '<p style="color:red">', /^report: style-src-attr/],
    ['an image by http', '<img src="http://evil.example/a.png">', /^report: img-src/],
    ['an image of the service', '<img src="/health">', /^report: img-src/],
    ['a frame', '<iframe src="https://evil.example/"></iframe>', /^report: frame-src/],
    ['a base', '<base href="https://evil.example/">', /^report: base-uri/],
    ['a way on', '<meta http-equiv=refresh content="0;url=/health">', /^(?:left|broken|request)/],
    ['an end of the page', '</div></main>', /^another page/],
    ['a text without an end', '<plaintext>', /^another page/],
    ['a list without an end', '<select>', /^another page/],
    ['another name for a method', '<img name=getElementById>', /^another #|^document\./],
    ['a form', '<form></form>', /^a form/],
    ['an id of the page', '<p id=one>', /^no such finding|^another/],
    ['wide content', '<table width="9000"><td>a</table>', /^stretched/],
  ])('would be seen on the page: %s', async (_, raw, finding) => {
    const known = await openHarmless(before);
    const page = await context.newPage();
    await page.route(known.url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(`<p>${harmless}</p>`, raw);
      await route.fulfill({ response, body });
    });
    const found = compare(await inspect(page, known.url, known.requests), known);
    await page.close();
    expect(found).toContainEqual(expect.stringMatching(finding));
  });
});
