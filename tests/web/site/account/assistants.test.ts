import { describe, expect, it } from 'vitest';
import { tokenEntries } from '../../../../functions/web/browser/people/entries.ts';
import {
  highlightJson,
  places,
  toConfiguration,
  toExample,
} from '../../../../functions/web/site/account/browser/parts/assistants/snippets.ts';
import {
  describeApp,
  describeCeiling,
  describeEntries,
} from '../../../../functions/web/site/account/browser/parts/token-rights.ts';
import { parseView, toUrl } from '../../../../functions/web/site/account/view.ts';

const day = 86_400;

describe('the address of the account page', () => {
  it.each([
    '/account',
    '/account?tab=tokens&new',
    '/account?tab=assistants',
    '/account?tab=assistants&by=command',
    '/account?tab=assistants&by=token',
  ])('is that of its view: %s', (url) => {
    expect(toUrl(parseView(new URL(url, 'https://handbill.test').searchParams))).toBe(url);
  });

  it('ignores a way to connect that does not exist, or is of another part', () => {
    const parse = (query: string) => parseView(new URLSearchParams(query)).by;
    expect(['tab=assistants&by=mail', 'tab=tokens&by=token'].map(parse)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('describeEntries', () => {
  it.each([
    [null, 'All your permissions'],
    [[], 'No permissions'],
    [['shares:create', 'shares:view'], 'Create and read shares'],
    [['shares:create', 'shares:update', 'shares:view'], 'Create, change and read shares'],
    [['shares:view', 'documents:view'], 'Read shares and documents'],
    [['profile:view', 'files:create'], 'Read your profile · Create files'],
    [
      ['shares:*', 'shares:manage', 'documents:view'],
      'Create, change, delete, manage and read shares · Read documents',
    ],
    [
      ['shares:*', 'shares:manage', 'shares:export', 'documents:view'],
      'Everything with shares · Read documents',
    ],
    [['users:view', 'users:export'], 'Read and export users'],
    [['audit:export'], 'Export the audit log'],
    [['webhooks:manage'], 'Manage webhooks of the audit log'],
    [['checkin:create'], 'Create check-ins'],
  ])('says what %j may', (entries, words) => {
    expect(describeEntries(entries)).toBe(words);
  });

  it('has words for each scope and permission', () => {
    for (const entry of tokenEntries) {
      expect(describeEntries([entry]), entry).toMatch(/^[A-Z][a-z]+ [a-z]/);
    }
  });
});

describe('describeApp', () => {
  it('says what it may publish, as tokens do', () => {
    const ceiling = { maxAudience: 'private', maxAge: 7 * day, sharesPerDay: 20 } as const;
    const bounds = 'only private, up to 7 days, 20 a day';
    expect(describeCeiling(ceiling)).toBe(`May publish: ${bounds}`);
    const app = { permissions: ['shares:create'], ceiling };
    expect(describeApp(app)).toBe(`Create shares · ${bounds}`);
  });

  it('says that anyone may open what it publishes, or that nothing limits it', () => {
    const permissions = ['shares:update'];
    const ceiling = { maxAudience: 'link', maxViews: 5, maxAge: 90 } as const;
    expect(describeApp({ permissions, ceiling })).toBe(
      'Change shares · anyone, up to 90 seconds, up to 5 views',
    );
    expect(describeApp({ permissions, ceiling: {} })).toBe('Change shares · without limits');
  });

  it('says no limits of what publishes nothing', () => {
    expect(describeApp({ permissions: ['documents:view'], ceiling: null })).toBe('Read documents');
  });
});

describe('the snippets', () => {
  const url = 'https://handbill.test';
  const token = 'hb_1_secret';

  it('configure an app by JSON that is printed as people write it', () => {
    const configuration = toConfiguration(url, token);
    expect(configuration).toContain('"args": ["mcp"],\n');
    expect(JSON.parse(configuration)).toEqual({
      mcpServers: {
        handbill: {
          command: 'handbill',
          args: ['mcp'],
          env: { HANDBILL_URL: url, HANDBILL_TOKEN: token },
        },
      },
    });
  });

  it('keep JSON as it is and tell names from texts', () => {
    const json = '{\n  "a\\"b": ["c:", "\\\\"],\n  "d" : 1\n}';
    const pieces = highlightJson(json);
    expect(pieces.map(({ text }) => text).join('')).toBe(json);
    const ofKind = (kind: string) => pieces.flatMap((one) => (one.kind === kind ? [one.text] : []));
    expect([ofKind('k'), ofKind('s')]).toEqual([
      ['"a\\"b"', '"d"'],
      ['"c:"', '"\\\\"'],
    ]);
  });

  it('send a message of the protocol with the token', () => {
    const example = toExample(url, token);
    expect(example).toMatch(/^curl https:\/\/handbill\.test\/mcp \\\n/);
    expect(example).toContain('-H "Authorization: Bearer hb_1_secret"');
    const [, body = ''] = example.match(/-d '(.*)'$/) ?? [];
    expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  });

  it('add the address to apps', () => {
    const [, json = ''] = places.vsCode(`${url}/mcp`).match(/^code --add-mcp '(.*)'$/) ?? [];
    expect(JSON.parse(json)).toEqual({ name: 'handbill', type: 'http', url: `${url}/mcp` });
    expect(JSON.parse(places.cursor(`${url}/mcp`))).toEqual({
      mcpServers: { handbill: { url: `${url}/mcp` } },
    });
  });
});
