import { describe, expect, it } from 'vitest';
import { hosts, listGroups } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import { formOf, multipartType } from '../../support/files/files.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, type CallOptions, call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();

const { root } = usePeople({ root: 'super_admin' });

/** Names that every object of JavaScript has, whatever it holds. */
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const;

const send = (endpoint: string, options: CallOptions = {}): Promise<Answer> =>
  call(endpoint, { token: root.token, ...options });

/** Routes that would end the session with a body that they take. */
const ending = ['/api/auth/logout'];

const routes = (Object.keys(hosts) as Host[])
  .flatMap(listGroups)
  .flatMap((group) => group.routes)
  .filter(({ path }) => !ending.includes(path));

const toParams = (path: string, name: string) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\+?\}/g)].map(([, key = '']) => [key, name]));

/** An object with a property of this name, which a literal can’t have. */
const having = (name: string, value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify({ x: value }).replace('"x"', JSON.stringify(name)));

describe.each(names)('the name %s', (name) => {
  it('is ignored or refused by each route, as an id, parameter, header, cookie and field', async () => {
    const failed: string[] = [];
    for (const { method, path, body } of routes) {
      const { status } = await send(`${method} ${path}`, {
        params: toParams(path, name),
        query: having(name, 'x') as Record<string, string>,
        headers: { ...(having(name, 'x') as Record<string, string>), accept: name },
        cookies: [`${name}=x`],
        ...(body && { body: having(name, { [name]: 'x' }) }),
      });
      if (status >= 500) failed.push(`${status} ${method} ${path}`);
    }
    expect(failed).toEqual([]);
    // Nothing above has ended the session, so each route was asked by who may call it.
    expect((await send('GET /api/auth/me')).status).toBe(200);
  });

  const markdown = { 'content-type': 'text/markdown' };
  const share = (options: CallOptions) => send('POST /api/share', options);
  const file = (fileName: string) => ({ name: 'file', fileName, content: 'Hi' });
  const upload = (fileName: string) =>
    send('POST /api/files/upload', { body: formOf(file(fileName)), headers: multipartType });
  const event = (fields: object) =>
    send('POST /api/calendar/events', {
      body: { title: 'Board', start: '2026-12-01T09:30:00Z', ...fields },
    });

  /** What each response must be: the name is ignored, kept as text, or refused. */
  const places: Readonly<Record<string, [() => Promise<Answer>, number]>> = {
    'a part of a form': [
      () => share({ body: formOf({ name, content: 'x' }, file('a.md')), headers: multipartType }),
      201,
    ],
    'the extension of a shared file': [
      () => share({ body: formOf(file(`a.${name}`)), headers: multipartType }),
      201,
    ],
    'the name of a shared file': [
      () => share({ body: formOf(file(name)), headers: multipartType }),
      201,
    ],
    'an option in the query': [
      () => share({ body: 'Hi', headers: markdown, query: having(name, 'x') as never }),
      201,
    ],
    'the language of a share': [() => share({ body: { content: 'Hi', language: name } }), 400],
    'the language of code': [
      () => share({ body: { content: `\`\`\`${name}\nHi\n\`\`\``, language: 'markdown' } }),
      201,
    ],
    'a command of TeX': [
      () => send('POST /api/markdown', { body: { markdown: `$\\${name}{x}$` } }),
      200,
    ],
    'the media type of a body': [
      () => share({ body: 'Hi', headers: { 'content-type': name } }),
      400,
    ],
    'the extension of an upload': [() => upload(`a.${name}`), 201],
    'the name of an upload': [() => upload(name), 201],
    'a link': [() => call('GET /api/share', { query: { id: 'nothing', link: name } }), 404],
    'a category of sales': [
      () => send('POST /api/sales', { body: { amount: 1, category: name, customer: name } }),
      201,
    ],
    'a sort order': [() => send('GET /api/users', { query: { sort: name } }), 400],
    'a status': [() => send('GET /api/users', { query: { status: name } }), 400],
    'an audited action': [() => send('GET /api/audit', { query: { action: name } }), 400],
    'a permission': [
      () => send('POST /api/auth/tokens', { body: { name: 'x', permissions: [name] } }),
      400,
    ],
    'a topic of notifications': [
      () =>
        send('PUT /api/users/me', {
          body: { notificationSettings: having(name, { bell: false }) },
        }),
      400,
    ],
    'a part of a recurrence': [() => event({ rrule: `FREQ=DAILY;${name}=1` }), 400],
    'a frequency': [() => event({ rrule: `FREQ=${name}` }), 400],
    'a time zone': [() => event({ timezone: name }), 400],
    'a folder': [
      () => send('POST /api/documents', { body: { title: 'x', folder: name, tags: [name] } }),
      201,
    ],
    'a kind of a chart': [() => send('GET /api/dashboard/pie', { query: { by: name } }), 400],
  };

  it.each(Object.entries(places))('has no meaning as %s', async (_, [ask, expected]) => {
    const { status, body } = await ask();
    expect(status, JSON.stringify(body)).toBe(expected);
  });

  it('is a category like others in what sums sales up', async () => {
    const { body } = await send('GET /api/dashboard/pie', { query: { by: 'category' } });
    expect(body.data).toContainEqual({ name, value: 1 });
  });
});
