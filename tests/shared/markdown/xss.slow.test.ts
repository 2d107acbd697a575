import { micromark } from 'micromark';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { render, toDocument } from '../../../shared/markdown/markdown.ts';
import { hasBrowser, launchBrowser } from '../../support/pages/browser.ts';

const schemes = [
  'javascript:hit()',
  'JaVaScRiPt:hit()',
  ' javascript:hit()',
  'javascript&colon;hit()',
  'javascript&#58;hit()',
  'javascript&#x3a;hit()',
  '&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;hit()',
  '&#x6A;avascript:hit()',
  '&#0000106avascript:hit()',
  'java&Tab;script:hit()',
  'java&NewLine;script:hit()',
  'java&#9;script:hit()',
  'java\\script:hit()',
  '&#1;javascript:hit()',
  '\u0001javascript:hit()',
  '\u00a0javascript:hit()',
  '\uFEFFjavascript:hit()',
  '\0javascript:hit()',
  'javascript%3Ahit()',
  'javascript://a.example/%0ahit()',
  'javascript:/*--></title></style>*/hit()',
  'vbscript:hit()',
  'data:text/html,<script>hit()</script>',
  'data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==',
  'blob:https://a.example/1',
  'file:///etc/passwd',
  'view-source:javascript:hit()',
  'feed:javascript:hit()',
];

/** A document of each way to write a link, with all schemes. */
const inLinks = [
  schemes.map((address) => `[a](<${address}>)`),
  schemes.map((address, at) => `[${at}]\n\n[${at}]: <${address}>`),
  schemes.map((address) => `![a](<${address}>)`),
  schemes.map((address) => `<${address}>`),
].map((links) => links.join('\n\n'));

const others = [
  '[a](javascript:hit())',
  '![a][b]\n\n[b]: javascript:hit()',
  '[![a](javascript:hit())](javascript:hit())',
  '[^a]\n\n[^a]: [b](javascript:hit())',
  '[^"onmouseover="hit()]\n\n[^"onmouseover="hit()]: a',
  '[^<img/src/onerror=hit()>]\n\n[^<img/src/onerror=hit()>]: a',
  '| a |\n|---|\n| [b](javascript:hit()) <img src=x onerror=hit()> |',
  '- [ ] <img src=x onerror=hit()>',
  '~~<img src=x onerror=hit()>~~',
  'www.a.example/"onmouseover="hit()',
  'https://a.example/"><img src=x onerror=hit()>',
  'a@b.example"onmouseover="hit()',
  'javascript://www.a.example/%0ahit()',
  '[a](https://b.example "c"onmouseover="hit()")',
  '[a](https://b.example \'" onmouseover="hit()\')',
  '[a](https://b.example/"onmouseover="hit())',
  '![" onerror="hit()](x)',
  '![a](x "\\" onerror=\\"hit()")',
  '![`" onerror="hit()`](x)',
  '![&quot; onerror=&quot;hit()](x)',
  '[a]\n\n[a]: x "&quot; onclick=&quot;hit()"',
  '```"onmouseover="hit()\na\n```',
  '```html\n<img src=x onerror=hit()>\n```',
  '```js"><img/src/onerror=hit()>\na\n```',
  '```xml\n&lt;script&gt;hit()&lt;/script&gt;\n<script>hit()</script>\n```',
  '```markdown\n[a](javascript:hit()) <script>hit()</script>\n```',
  '`<img src=x onerror=hit()>`',
  '    <img src=x onerror=hit()>',
  '# <img src=x onerror=hit()>',
  '# "><img src=x onerror=hit()>\n\n[a](#"><img/src/onerror=hit()>)',
  '<img src=x onerror=hit()>\n===',
  '<script>hit()</script>',
  '<SCRIPT>hit()</SCRIPT>',
  '<scr<script>ipt>hit()</script>',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '\\<script>hit()\\</script>',
  '<img src=x onerror=hit()>',
  '<svg onload=hit()>',
  '<svg><script>hit()</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=hit()>',
  '<iframe srcdoc="<script>parent.hit()</script>">',
  '<object data="javascript:hit()">',
  '<body onload=hit()>',
  '<details open ontoggle=hit()>',
  '<input autofocus onfocus=hit()>',
  '<style>@import "javascript:hit()"</style>',
  '<base href="javascript:/a/-hit()//">',
  '<meta http-equiv="refresh" content="0;javascript:hit()">',
  '<form action="javascript:hit()"><button>a',
  '<a href="javascript:hit()">a</a>',
  '<!-- --><img src=x onerror=hit()><!-- -->',
  '<!--><img src=x onerror=hit()>-->',
  '<![CDATA[><img src=x onerror=hit()>]]>',
  '<?><img src=x onerror=hit()>?>',
  '<!A><img src=x onerror=hit()>',
  '</body></html><script>hit()</script>',
  '---\na: <script>hit()</script>\n---\n<script>hit()</script>',
  '---\n<script>hit()</script>',
  '<\0script>hit()</script>',
  '\uFF1Cscript\uFF1Ehit()\uFF1C/script\uFF1E',
  '*<img src=x onerror=hit()>**a*',
  '> [!NOTE]\n> <img src=x onerror=hit()>',
  '> [!NOTE]<img src=x onerror=hit()>\n> a',
  ...[
    '\\href{javascript:hit()}{x}',
    '\\url{javascript:hit()}',
    '\\includegraphics{javascript:hit()}',
    '\\htmlData{onclick=hit()}{x}',
    '\\class{x" onmouseover="hit()}{x}',
    '\\id{x" onmouseover="hit()}{x}',
    '\\style{background:url(javascript:hit())}{x}',
    '\\text{<img src=x onerror=hit()>}',
    '\\text{</math><img src=x onerror=hit()>}',
    '\\text{</mtext><table><mglyph><style><img src=x onerror=hit()>}',
    '\\operatorname{<script>hit()</script>}',
    '\\ref{a" onmouseover="hit()}',
    "\\ref{a' onmouseover='hit()}",
    '\\label{a" onmouseover="hit()}x',
    '\\tag{<img src=x onerror=hit()>}x',
    '\\color{red" onmouseover="hit()}x',
    '\\textcolor{red;background:url(//a.example)}{x}',
    '\\begin{array}{c" onmouseover="hit()}x\\end{array}',
    '\\hspace{1em" onmouseover="hit()}x',
    '\\<img src=x onerror=hit()>',
    '\\def\\a{<img src=x onerror=hit()>}\\a',
    '\\unicode{<img src=x onerror=hit()>}',
  ].map((tex) => `$${tex}$\n\n$$\n${tex}\n$$\n\n\`\`\`math\n${tex}\n\`\`\``),
];

const vectors = [...new Set([...inLinks, ...others])];

/** Runs in the page: everything that a visitor could set off is, and what there shouldn't be is named. */
const provoke = `(async () => {
  const found = [];
  const allowed = ['http:', 'https:', 'irc:', 'ircs:', 'mailto:', 'sms:', 'tel:', 'xmpp:'];
  for (const element of document.body.querySelectorAll('*')) {
    if (/^(script|style|iframe|object|embed|svg|annotation|annotation-xml|maction|mglyph|form|base|meta|link)$/i.test(element.localName)) {
      found.push(element.outerHTML);
    }
    for (const { name, value } of element.attributes) {
      if (/^on|^style$|^srcdoc$|^formaction$/i.test(name)) found.push(element.outerHTML);
      if ((name === 'href' || name === 'src') && value !== '' && !allowed.includes(new URL(value, document.baseURI).protocol)) {
        found.push(element.outerHTML);
      }
    }
    element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    element.dispatchEvent(new Event('error'));
    // The address of a script is followed; others would only lead away.
    if (element.protocol === 'javascript:') element.click();
  }
  // The script of an address runs in a task of its own.
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done));
  return { found, hits };
})()`;

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** What of the documents ran, and which elements are suspicious. */
  const judge = async (documents: readonly string[]) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const ran: string[] = [];
    let current = '';
    await page.addInitScript('window.hits = 0; window.hit = () => { window.hits++; };');
    page.on('dialog', (dialog) => dialog.dismiss());
    await page.route('**/*', (request) =>
      request.request().url() === 'https://page.test/'
        ? request.fulfill({ contentType: 'text/html', body: current })
        : request.abort(),
    );
    for (const document of documents) {
      current = document;
      await page.goto('https://page.test/', { waitUntil: 'load' });
      const { found, hits } = (await page.evaluate(provoke)) as { found: string[]; hits: number };
      ran.push(...found);
      if (hits > 0) ran.push(document);
    }
    await context.close();
    return ran;
  };

  it('has more than 60 vectors', () => {
    expect(vectors.length).toBeGreaterThan(60);
  });

  it('nothing of them runs or is left, neither of the endpoint nor on the pages of shares', async () => {
    const documents: string[] = [];
    for (const vector of vectors) {
      const { html, page } = await render(vector, { field: 'content', cpuMs: 1_000 });
      const fragments = [html, page];
      documents.push(toDocument(fragments.join('\n<hr />\n')));
    }
    expect(await judge(documents)).toEqual([]);
  });

  it('what is not neutralised does run: the page would tell', async () => {
    const raw = ['<img src=x onerror=hit()>', '<script>hit()</script>', '[a](javascript:hit())'];
    const documents = raw.map((vector) =>
      toDocument(micromark(vector, { allowDangerousHtml: true, allowDangerousProtocol: true })),
    );
    const ran = await judge(documents);
    for (const document of documents) expect(ran).toContain(document);
  });
});
