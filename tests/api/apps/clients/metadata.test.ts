import { describe, expect, it } from 'vitest';
import { hashClientId } from '../../../../functions/api/apps/clients/client-id.ts';
import { resolveClient } from '../../../../functions/api/apps/clients/clients.ts';
import { publicAddress, usePublicHost } from '../../../support/outbound/public-host.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');
const { host, seen, network } = usePublicHost();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let count = 0;
/** Returns the address of a document that no other test has asked for. */
const newId = () => `https://app.example.com/clients/${++count}.json`;

const redirectUris = ['https://app.example.com/callback', 'http://127.0.0.1/callback'];

const serve = (document: unknown) => {
  host.answer = (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  };
};

const documentOf = (clientId: string, more: object = {}) => ({
  client_id: clientId,
  client_name: 'Inspector',
  redirect_uris: redirectUris,
  ...more,
});

const find = (clientId: string) => resolveClient(clientId, network);

/** Returns why a client is refused. */
const refusalOf = async (clientId: string): Promise<string> => {
  const error = await find(clientId).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'AppError', code: 'VALIDATION_ERROR' });
  const { details } = error as { details: readonly { field: string; message: string }[] };
  expect(details.map(({ field }) => field)).toEqual(['client_id']);
  return details[0]?.message ?? '';
};

const fail = (status: number) => {
  host.answer = (_request, response) => {
    response.writeHead(status).end();
  };
};

describe('resolveClient, of the address of a document', () => {
  it('returns what the document says, and asks for it once in an hour', async () => {
    const id = newId();
    serve(documentOf(id, { token_endpoint_auth_method: 'none', jwks: { keys: [] }, scope: 'all' }));
    const client = {
      id,
      name: 'Inspector',
      host: 'app.example.com',
      redirectUris,
      kind: 'metadata',
    };
    expect(await find(id)).toEqual(client);
    pass(hourMs - 1);
    expect(await find(id)).toEqual(client);
    expect(seen.requests).toHaveLength(1);
    serve(documentOf(id, { client_name: 'Renamed' }));
    pass(1);
    expect(await find(id)).toMatchObject({ name: 'Renamed' });
    expect(await find(id)).toMatchObject({ name: 'Renamed' });
    expect(seen.requests).toHaveLength(2);
  });

  it('stores no more than it uses, and for a day', async () => {
    const id = newId();
    serve(documentOf(id, { client_secret: 'not used', jwks_uri: 'https://app.example.com/jwks' }));
    await find(id);
    const [item] = await itemsOf(`APPCLIENT#${hashClientId(id)}`);
    const now = Date.now();
    expect(item).toEqual({
      pk: `APPCLIENT#${hashClientId(id)}`,
      sk: 'APPCLIENT',
      clientId: id,
      checkedAt: now,
      metadata: { name: 'Inspector', redirectUris, fetchedAt: now },
      ttl: (now + 24 * hourMs) / 1_000,
    });
  });

  it('asks once for requests at the same time', async () => {
    const id = newId();
    serve(documentOf(id));
    const clients = await Promise.all([find(id), find(id), find(id)]);
    expect(new Set(clients.map(({ name }) => name))).toEqual(new Set(['Inspector']));
    expect(seen.requests).toHaveLength(1);
  });

  it('keeps the document for a day while its host is not there, and asks once in a minute', async () => {
    const id = newId();
    serve(documentOf(id));
    await find(id);
    fail(503);
    pass(hourMs);
    expect(await find(id)).toMatchObject({ name: 'Inspector' });
    expect(await find(id)).toMatchObject({ name: 'Inspector' });
    expect(seen.requests).toHaveLength(2);
    pass(minuteMs);
    await find(id);
    expect(seen.requests).toHaveLength(3);
    pass(23 * hourMs - minuteMs - 1);
    expect(await find(id)).toMatchObject({ name: 'Inspector' });
    pass(1);
    expect(await refusalOf(id)).toBe('answers with the status 503');
    serve(documentOf(id));
    pass(minuteMs);
    expect(await find(id)).toMatchObject({ name: 'Inspector' });
  });

  it('forgets a document that is there no more', async () => {
    const id = newId();
    serve(documentOf(id));
    await find(id);
    fail(404);
    pass(hourMs);
    expect(await refusalOf(id)).toBe('must answer with the status 200, not 404');
    fail(503);
    pass(minuteMs);
    expect(await refusalOf(id)).toBe('answers with the status 503');
  });

  it('asks about a failure once in a minute', async () => {
    const id = newId();
    fail(404);
    const problem = 'must answer with the status 200, not 404';
    expect(await refusalOf(id)).toBe(problem);
    pass(minuteMs - 1);
    expect(await refusalOf(id)).toBe(problem);
    expect(seen.requests).toHaveLength(1);
    serve(documentOf(id));
    pass(1);
    expect(await find(id)).toMatchObject({ name: 'Inspector' });
  });

  it('lets the latest answer count, whatever is stored last', async () => {
    const id = newId();
    const later = Date.now() + 1_000;
    host.answer = (_request, response) => {
      serve(documentOf(id));
      host.answer(_request, response);
    };
    await find(id);
    pass(hourMs);
    // A process with a clock that is ahead stores first.
    pass(2_000);
    serve(documentOf(id, { client_name: 'Newer' }));
    await find(id);
    pass(-1_000);
    expect(await find(id)).toMatchObject({ name: 'Newer' });
    expect(Date.now()).toBeGreaterThan(later);
  });

  it.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['fd00:ec2::254'],
    ['::ffff:169.254.169.254'],
  ])('connects to no host near the service (%s)', async (address) => {
    host.addresses = [[address]];
    expect(await refusalOf(newId())).toBe('must have a host on the public internet');
    expect(seen.addresses).toEqual([]);
  });

  it('connects to the address that was checked, whatever the name stands for next', async () => {
    const id = newId();
    serve(documentOf(id));
    host.addresses = [[publicAddress], ['169.254.169.254']];
    await find(id);
    expect(seen.addresses).toEqual([publicAddress]);
    pass(hourMs);
    // An attack is no outage: what was known of the client no longer counts.
    expect(await refusalOf(id)).toBe('must have a host on the public internet');
    expect(seen.addresses).toEqual([publicAddress]);
  });

  it('follows no redirect', async () => {
    host.answer = (_request, response) => {
      response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data/' }).end();
    };
    expect(await refusalOf(newId())).toBe('must answer itself, without a redirect');
    expect(seen.addresses).toEqual([publicAddress]);
  });

  it.each([
    ['http://app.example.com/a', 'must start with https://'],
    ['javascript:alert(1)', 'must start with https://'],
    ['https://app.example.com', 'must be written as https://app.example.com/'],
    ['https://app.example.com/', 'must have a path, such as /client.json'],
    ['https://app.example.com/?a', 'must have a path, such as /client.json'],
    ['https://APP.example.com/a', 'must be written as https://app.example.com/a'],
    ['https://app.example.com:443/a', 'must be written as https://app.example.com/a'],
    ['https://app.example.com/b/../a', 'must be written as https://app.example.com/a'],
    ['https://app.example.com/%2e%2e/a', 'must be written as https://app.example.com/a'],
    ['https://app.example.com\\a', 'must be written as https://app.example.com/a'],
    ['https://app.example.com/a\n', 'must be written as https://app.example.com/a'],
    ['https://app.example.com:8443/a', 'must have no port, as only 443 is asked'],
    ['https://a:b@app.example.com/a', 'must have no user name and no password'],
    ['https://app.example.com/a#b', 'must have no fragment'],
    ['https://localhost/a', 'must have a host on the public internet'],
    ['https://2130706433/a', 'must have a host on the public internet'],
    ['https://[::1]/a', 'must have a host on the public internet'],
    [`https://app.example.com/${'a'.repeat(500)}`, 'must be at most 500 characters'],
    ['a'.repeat(5_000), 'must be at most 4096 characters'],
    ['inspector', 'must be the https address of a metadata document, or one that was registered'],
    ['', 'must be the https address of a metadata document, or one that was registered'],
  ])('asks nobody about %s', async (id, problem) => {
    expect(await refusalOf(id)).toBe(problem);
    expect(seen).toEqual({ names: [], addresses: [], requests: [] });
  });

  const inDocument = 'names a document in which';
  it.each<[object | string, string]>([
    ['[]', 'must be a JSON object in UTF-8'],
    ['null', 'must be a JSON object in UTF-8'],
    ['{"a":', 'must be a JSON object in UTF-8'],
    ['', 'must be a JSON object in UTF-8'],
    [
      { client_id: 'https://app.example.com/other' },
      `${inDocument} client_id must be the address of the document`,
    ],
    [{ client_id: undefined }, `${inDocument} client_id must be the address of the document`],
    [
      { redirect_uris: undefined },
      `${inDocument} redirect_uris must be a list of 1 to 20 addresses`,
    ],
    [{ redirect_uris: [] }, `${inDocument} redirect_uris must be a list of 1 to 20 addresses`],
    [
      { redirect_uris: Array.from({ length: 21 }, (_, at) => `https://app.example.com/${at}`) },
      `${inDocument} redirect_uris must be a list of 1 to 20 addresses`,
    ],
    [{ redirect_uris: [1] }, `${inDocument} redirect_uris[0] must be a string`],
    [
      { redirect_uris: ['https://app.example.com/', 'javascript:alert(1)'] },
      `${inDocument} redirect_uris[1] must use https or the scheme of an installed app`,
    ],
    [{ client_name: 1 }, `${inDocument} client_name must be a string`],
    [
      { token_endpoint_auth_method: 'client_secret_basic' },
      `${inDocument} token_endpoint_auth_method must be none`,
    ],
    [
      { token_endpoint_auth_method: 'private_key_jwt' },
      `${inDocument} token_endpoint_auth_method must be none`,
    ],
    [
      { grant_types: ['client_credentials'] },
      `${inDocument} grant_types must be a list with authorization_code`,
    ],
    [{ response_types: 'code' }, `${inDocument} response_types must be a list with code`],
  ])('refuses the document %j', async (wrong, problem) => {
    const id = newId();
    serve(typeof wrong === 'string' ? wrong : documentOf(id, wrong));
    expect(await refusalOf(id)).toBe(problem);
  });

  it('refuses a document of another type, one that is too large and one in another encoding', async () => {
    host.answer = (_request, response) => {
      response.setHeader('content-type', 'text/html').end('{}');
    };
    expect(await refusalOf(newId())).toBe('must have the content type application/json');
    serve(`{"a":"${'a'.repeat(65_536)}"}`);
    expect(await refusalOf(newId())).toBe('must have at most 65536 bytes');
    host.answer = (_request, response) => {
      response.setHeader('content-type', 'application/json').end(Buffer.from([0x22, 0xe4, 0x22]));
    };
    expect(await refusalOf(newId())).toBe('must be a JSON object in UTF-8');
  });

  it.each([
    ['Claude', 'Claude'],
    [undefined, 'app.example.com'],
    [null, 'app.example.com'],
    ['', 'app.example.com'],
    [' \u200b\u202e ', 'app.example.com'],
    ['  An   app\n of\tours ', 'An app of ours'],
    ['\u202eedualC\u202c', 'edualC'],
    ['Cl\u200bau\u00adde\u0000\u001b[31m', 'Claude[31m'],
    ['a'.repeat(81), 'a'.repeat(80)],
    ['<b>Claude</b>', '<b>Claude</b>'],
    ['\ud83d', '\ufffd'],
  ])('shows the name %j as %j', async (name, shown) => {
    const id = newId();
    serve(documentOf(id, { client_name: name }));
    expect(await find(id)).toMatchObject({ name: shown });
  });
});
