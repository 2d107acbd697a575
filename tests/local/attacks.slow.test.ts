import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateEmailTemplateCommand,
  GetAccountCommand,
  SESv2Client,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { admin } from '../support/run/fresh-service.ts';
import {
  type AttackedService,
  ask,
  originsOf,
  startAttacked,
} from '../support/service/attacked-service.ts';

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const elsewhere = 'http://evil.example';

const statusesOf = async (urls: readonly string[], headers: Record<string, string>) => {
  const responses = await Promise.all(urls.map((url) => ask(url, { headers })));
  return responses.map(({ status }) => status);
};
const each = <T>(value: T): T[] => Array.from({ length: 5 }, () => value);

const register = (email: string) =>
  JSON.stringify({
    email,
    name: 'Ann',
    password: admin.password,
    confirmPassword: admin.password,
  });

const countMails = async ({ addresses }: AttackedService): Promise<number> => {
  const { text } = await ask(`${addresses.email}/store`);
  return (JSON.parse(text) as { readonly emails: readonly unknown[] }).emails.length;
};

describe('DNS rebinding', () => {
  it('is rejected by every listener', async () => {
    const service = await startAttacked();
    const origins = originsOf(service);
    for (const host of [
      'evil.example',
      'evil.example:80',
      'evil.localhost',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.evil.example',
      'localhost.',
      '10.0.0.1',
      '[::2]',
    ]) {
      expect(await statusesOf(origins, { host }), host).toEqual(each(421));
    }
    const { email: mail } = service.addresses;
    for (const url of [`${mail}/`, `${mail}/store`]) {
      expect(await ask(url, { headers: { host: 'evil.example' } })).toMatchObject({
        status: 421,
        text: expect.not.stringContaining('mail'),
      });
    }
  });

  it('does not include loopback names and the configured hosts', async () => {
    const service = await startAttacked({
      PUBLIC_URL: 'https://handbill.test:8443',
      SNIPPETS_URL: 'https://snippets.test',
      FILES_URL: 'https://files.test/storage',
    });
    const origins = ['DynamoDB', 'S3'].map(
      (label) => service.output().match(new RegExp(`${label} +(http://\\S+)`))?.[1] ?? '',
    );
    for (const host of ['localhost', 'LocalHost:1', '127.0.0.1:1', '127.1.2.3', '[::1]:80']) {
      expect(await statusesOf(origins, { host }), host).toEqual([403, 403]);
    }
    // The hosts of the service are not those of its engines.
    for (const host of ['handbill.test', 'Handbill.test:8443', 'snippets.test:1', 'other.test']) {
      expect(await statusesOf(origins, { host }), host).toEqual([421, 421]);
    }
    expect(await statusesOf(origins, { host: 'files.test:8443' })).toEqual([421, 403]);
  });
});

describe('a WebSocket', () => {
  it('is rejected by every listener', async () => {
    const origins = originsOf(await startAttacked());
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    expect(await statusesOf(origins, upgrade)).toEqual(each(400));
    const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
    expect((await ask(`${origins[0]}/health`, { headers: h2c })).status).toBe(200);
  });
});

describe('a request to an engine', () => {
  const nameOf = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      ({ name }: Error) => name,
    );
  const callAll = async (
    { addresses }: AttackedService,
    credentials: { accessKeyId: string; secretAccessKey: string },
  ) => {
    const options = { region: 'us-east-1', credentials, maxAttempts: 1 };
    const mail = new SendEmailCommand({
      FromEmailAddress: 'handbill@example.com',
      Destination: { ToAddresses: ['ann@example.com'] },
      Content: { Simple: { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hi' } } } },
    });
    const s3 = new S3Client({ ...options, endpoint: addresses.S3, forcePathStyle: true });
    const put = new PutObjectCommand({ Bucket: 'handbill-files', Key: 'planted' });
    const url = await getSignedUrl(s3, put);
    return {
      table: await nameOf(
        new DynamoDBClient({ ...options, endpoint: addresses.DynamoDB }).send(
          new ListTablesCommand({}),
        ),
      ),
      mail: await nameOf(new SESv2Client({ ...options, endpoint: addresses.email }).send(mail)),
      files: await nameOf(s3.send(new ListBucketsCommand({}))),
      presigned: (await fetch(url, { method: 'PUT' })).status,
    };
  };

  it('requires the key of the data folder', async () => {
    const service = await startAttacked();
    const other = await startAttacked();
    const mails = await countMails(service);
    expect(await callAll(service, service.accessKey)).toEqual({
      table: 'done',
      mail: 'done',
      files: 'done',
      presigned: 200,
    });
    const unknown = {
      table: 'UnrecognizedClientException',
      mail: 'UnrecognizedClientException',
      files: 'InvalidAccessKeyId',
      presigned: 403,
    };
    expect(await callAll(service, { accessKeyId: 'local', secretAccessKey: 'local' })).toEqual(
      unknown,
    );
    expect(await callAll(service, other.accessKey)).toEqual(unknown);
    const { accessKeyId } = service.accessKey;
    expect(await callAll(service, { accessKeyId, secretAccessKey: 'local' })).toEqual({
      table: 'InvalidSignatureException',
      mail: 'InvalidSignatureException',
      files: 'SignatureDoesNotMatch',
      presigned: 403,
    });
    expect(await countMails(service)).toBe(mails + 1);
  });

  it('is limited to the used services and operations', async () => {
    const service = await startAttacked();
    const { email: mail } = service.addresses;
    const { origin } = new URL(mail);
    const post = (url: string, body: string, headers = {}) =>
      ask(url, { method: 'POST', body, headers: { ...urlencoded, ...headers } });
    const attempts = [
      post(origin, 'Action=SendEmail&Source=a', { authorization: 'AWS4-HMAC-SHA256 x' }),
      post(mail, 'Action=SendEmail&Source=a', { authorization: 'AWS4-HMAC-SHA256 x' }),
      post(`${origin}/clear-store`, ''),
      ask(`${origin}/`),
      ask(`${origin}/store`),
      ask(`${origin}/store?since=0`),
      ask(`${origin}/health-check`),
      ask(`${origin}/${'A'.repeat(24)}/store`),
      ask(`${mail}/v2/email/templates`),
    ];
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses).toEqual(attempts.map(() => 404));
    const client = new SESv2Client({
      endpoint: mail,
      region: 'us-east-1',
      credentials: service.accessKey,
      maxAttempts: 1,
    });
    await expect(client.send(new GetAccountCommand({}))).rejects.toThrow();
    await expect(
      client.send(new CreateEmailTemplateCommand({ TemplateName: 'a', TemplateContent: {} })),
    ).rejects.toThrow();
  });
});

describe('the email page', () => {
  it('rejects requests from other pages', async () => {
    const { addresses } = await startAttacked();
    const { email: mail } = addresses;
    const { origin } = new URL(mail);
    const from = async (headers: Record<string, string>) =>
      Promise.all(
        [
          ask(mail, { headers }),
          ask(`${mail}/store`, { headers }),
          ask(`${mail}/clear-store`, { method: 'POST', headers }),
          ask(`${mail}/v2/email/outbound-emails`, { method: 'POST', headers }),
        ].map(async (asked) => (await asked).status),
      );
    for (const headers of [
      { origin: elsewhere },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { origin: origin.replace('127.0.0.1', 'localhost') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin, 'sec-fetch-site': 'same-site' },
    ]) {
      expect(await from(headers), JSON.stringify(headers)).toEqual([403, 403, 403, 403]);
    }
    expect(await from({ origin, 'sec-fetch-site': 'same-origin' })).toEqual([200, 200, 200, 403]);
    expect(await from({ 'sec-fetch-site': 'none' })).toEqual([200, 200, 200, 403]);
    const { headers, text } = await ask(mail);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(text).not.toMatch(/["'`]\/(?:store|clear-store|get-emlContent)/);
  });
});

describe('a page of another origin', () => {
  const json = { 'content-type': 'text/plain' };
  const send = async (origin: string, email: string, headers: Record<string, string>) => {
    const body = register(email);
    const options = { method: 'POST', body, headers: { ...json, ...headers } };
    return (await ask(`${origin}/api/auth/register`, options)).status;
  };

  it('can’t call the service', async () => {
    const service = await startAttacked();
    const { service: url } = service.addresses;
    const { port } = new URL(url);
    const mails = await countMails(service);
    const strangers: Record<string, string>[] = [
      { origin: elsewhere },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: `http://evil.localhost:${port}` },
      { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
      { origin: `http://127.0.0.1:${port}`, host: `localhost:${port}` },
    ];
    for (const headers of strangers) {
      expect(await send(url, 'ann@example.com', headers), JSON.stringify(headers)).toBe(403);
    }
    const forgot = { method: 'POST', body: JSON.stringify({ email: admin.email }) };
    const headers = { ...json, origin: elsewhere };
    const asked = await ask(`${url}/api/auth/forgot-password`, { ...forgot, headers });
    expect(asked.status).toBe(403);
    for (const site of ['cross-site', 'same-site']) {
      const image = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' };
      expect((await ask(`${url}/api/share?id=x`, { headers: image })).status).toBe(403);
      const link = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
      expect((await ask(`${url}/login`, { headers: link })).status).toBe(200);
    }
    const preflight = {
      origin: elsewhere,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const question = await ask(`${url}/api/share`, { method: 'OPTIONS', headers: preflight });
    expect(question.status).toBe(403);
    expect(Object.keys(question.headers).join()).not.toContain('access-control');
    expect(await send(url, 'ann@example.com', {})).toBe(201);
    expect(await countMails(service)).toBe(mails);
  });

  it('can call the service if it is the service’s own or allowed', async () => {
    const named = 'http://app.example';
    const service = await startAttacked({ CORS_ORIGINS: named });
    const { service: url } = service.addresses;
    const { host } = new URL(url);
    const own: Record<string, string>[] = [
      { origin: named, 'sec-fetch-site': 'cross-site' },
      { origin: url, host },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin: url.replace('localhost', '127.0.0.1') },
    ];
    for (const [at, headers] of own.entries()) {
      expect(await send(url, `ann${at}@example.com`, headers)).toBe(201);
    }
    const image = {
      referer: `${named}/`,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
    };
    expect((await ask(`${url}/api/share?id=x`, { headers: image })).status).toBe(404);
    expect(await send(url, 'bob@example.com', { origin: elsewhere })).toBe(403);
  });
});
