import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { document, operationOf, validatorOf } from '../../support/openapi/document.ts';
import { measurePage } from '../../support/pages/compressed-size.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useTable();
useBucket();

const groups: readonly string[] = document.tags.map(({ name }: { name: string }) => name);

const readPage = async (group?: string): Promise<string> => {
  const response = group
    ? await call('GET /api/docs/{group}', { params: { group } })
    : await call('GET /api/docs');
  expect(response.status).toBe(200);
  return response.body;
};

const toText = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

interface Shown {
  readonly id: string;
  readonly markup: string;
  readonly text: string;
  readonly curl: string;
}

/** The operations of a page as they are shown. */
const listShown = (page: string): Shown[] =>
  [...page.matchAll(/<section class="op" id="(\w+)"[^>]*>([\s\S]*?)<\/section>/g)].map(
    ([, id = '', markup = '']) => ({
      id,
      markup,
      text: toText(markup),
      curl: toText(markup.match(/<code class="sh">([\s\S]*?)<\/code>/)?.[1] ?? ''),
    }),
  );

const routes = listRoutes('service');
const pages = new Map(
  await Promise.all(groups.map(async (group) => [group, await readPage(group)] as const)),
);
const shown = [...pages.values()].flatMap(listShown);

const operations = routes.map(({ method, path }) => {
  const operation = operationOf(method, path);
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return { method, path: path.replace('+}', '}'), operation, name: `${method} ${path}` };
});

const findShown = (id: string): Shown => {
  const found = shown.find((one) => one.id === id);
  if (!found) throw new Error(`${id} is not in the reference`);
  return found;
};

/** Reads a command as a shell does, as far as the examples need it. */
const parseCurl = (text: string) => {
  const words = [...text.replaceAll('\\\n', ' ').matchAll(/'(?:[^']|'\\'')*'|"[^"]*"|\S+/g)].map(
    ([word]) =>
      word.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word.replaceAll('"', ''),
  );
  const optionsOf = (name: string) => words.filter((_, at) => words[at - 1] === name);
  const url = new URL(words.find((word) => /^https?:/.test(word)) ?? '');
  const [data] = optionsOf('-d');
  const forms = [...optionsOf('-F'), ...optionsOf('--data-urlencode')];
  const isPost = data !== undefined || forms.length > 0;
  return {
    method: optionsOf('-X')[0] ?? (isPost ? 'POST' : 'GET'),
    url,
    headers: optionsOf('-H'),
    body: data === undefined ? undefined : JSON.parse(data),
    forms: forms.map((form) => form.split('=', 1)[0] ?? ''),
  };
};

describe('the API reference', () => {
  it('has every operation once, in its group', () => {
    expect(shown.map(({ id }) => id).sort()).toEqual(
      operations.map(({ operation }) => operation.operationId).sort(),
    );
    for (const { operation } of operations) {
      expect(pages.get(operation.tags[0] ?? '')).toContain(`id="${operation.operationId}"`);
    }
  });

  it.each(operations)(
    'shows what $name takes, who may call it and what it answers',
    ({ method, path, operation }) => {
      const { text, markup } = findShown(operation.operationId);
      expect(text).toContain(operation.summary);
      expect(text).toContain(`${method}${path}`);
      const access = operation['x-access'];
      if (access.includes(':')) expect(text).toContain(access);
      for (const { name } of operation.parameters) expect(markup).toContain(`<code>${name}</code>`);
      for (const status of Object.keys(operation.responses)) expect(text).toContain(status);
      for (const [type, { schema = {} }] of Object.entries(operation.requestBody?.content ?? {})) {
        const { $ref } = schema;
        const resolved =
          typeof $ref === 'string'
            ? document.components.schemas[$ref.split('/').at(-1) ?? '']
            : schema;
        if (type !== 'application/json') expect(text).toContain(`Body as ${type}`);
        for (const name of Object.keys(resolved.properties ?? {})) {
          expect(markup).toContain(`<code>${name}</code>`);
        }
      }
    },
  );

  it('says the bounds of a field', () => {
    const { text } = findShown('createShare');
    expect(text).toContain('viewLimitinteger or null · 1 to 1,000,000');
    expect(text).toMatch(/title\s*string or null · at most 200 characters/);
  });

  it.each(operations)(
    'calls $name by a command that its schemas accept',
    ({ method, path, operation }) => {
      const request = parseCurl(findShown(operation.operationId).curl);
      expect([request.method, request.url.origin]).toEqual([method, 'https://handbill.test']);
      const template = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
      const found = request.url.pathname.match(new RegExp(`^${template}$`));
      expect(found).not.toBeNull();
      const check = (name: string, value: string): void => {
        const parameter = operation.parameters.find((one) => one.name === name);
        const { schema = {} } = parameter ?? {};
        const isNumber = schema['type'] === 'integer';
        const isBoolean = schema['type'] === 'boolean';
        const parsed = isNumber || isBoolean ? JSON.parse(value) : value;
        expect(validatorOf(schema)(parsed), `${name}=${value}`).toBe(true);
      };
      for (const [name, value] of Object.entries(found?.groups ?? {})) {
        check(name, decodeURIComponent(value));
      }
      for (const [name, value] of request.url.searchParams) {
        expect(operation.parameters.map((one) => one.name)).toContain(name);
        check(name, value);
      }
      for (const { name, required, in: place } of operation.parameters) {
        if (place === 'query' && required) expect(request.url.searchParams.has(name)).toBe(true);
      }
      const content = operation.requestBody?.content ?? {};
      const [type] = Object.keys(content);
      if (type === 'application/json') {
        expect(request.headers).toContain('Content-Type: application/json');
        const validate = validatorOf(content[type]?.schema ?? {});
        expect(validate(request.body), JSON.stringify(validate.errors)).toBe(true);
      } else {
        expect(request.body).toBeUndefined();
        // A form of a button alone has no field.
        const fields = Object.keys(content[type ?? '']?.schema?.properties ?? {});
        if (fields.length > 0) expect(request.forms.length).toBeGreaterThan(0);
      }
      const access = operation['x-access'];
      const isAuthorized = request.headers.includes('Authorization: Bearer $TOKEN');
      if (access !== 'optional') expect(isAuthorized).toBe(access !== 'public');
    },
  );

  it('answers the commands that read without an id', async () => {
    const { token } = await newUserOf('super_admin');
    const failed: string[] = [];
    for (const { method, path, operation, name } of operations) {
      if (method !== 'GET' || path.includes('{') || !path.startsWith('/api/')) continue;
      // It needs a client that exists.
      if (path === '/api/apps/request') continue;
      const { url, headers } = parseCurl(findShown(operation.operationId).curl);
      const response = await call(name, {
        query: Object.fromEntries(url.searchParams),
        ...(headers.length > 0 && { token }),
      });
      if (response.status !== 200) failed.push(`${name}: ${response.status}`);
    }
    expect(failed).toEqual([]);
  });

  it('names all errors of the service in one place, which the operations link to', async () => {
    const start = await readPage();
    for (const code of ['VALIDATION_ERROR', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']) {
      expect(start).toContain(`id="${code}"`);
      expect(pages.get('documents')).toContain(`href="/api/docs#${code}"`);
    }
  });

  it('links to operations that exist', async () => {
    for (const page of [await readPage(), ...pages.values()]) {
      for (const [, group = '', id = ''] of page.matchAll(/href="\/api\/docs\/([\w-]+)#(\w+)"/g)) {
        expect(pages.get(group)).toContain(`id="${id}"`);
      }
    }
  });

  it('has the colors that the reader chose, and no page of an unknown group', async () => {
    const dark = await call('GET /api/docs', { cookies: ['theme=dark'] });
    expect(dark.body).toContain('<html lang="en" data-theme="dark">');
    const unknown = await call('GET /api/docs/{group}', { params: { group: 'constructor' } });
    expect(unknown.status).toBe(404);
  });

  it.each(groups)('takes at most 32 KB without the font: %s', async (group) => {
    const { total } = await measurePage('/api/docs/{group}', { params: { group } });
    expect(total).toBeLessThanOrEqual(32 * 1_024);
  });
});
