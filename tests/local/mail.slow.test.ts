import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { openMail } from '../../infra/local/mail.ts';
import { startProcess, temporaryFolder } from '../support/run/process.ts';

describe('the local email service', () => {
  const send = async (endpoint: string, subject: string): Promise<number | undefined> => {
    const client = new SESv2Client({ endpoint });
    const Simple = { Subject: { Data: subject }, Body: { Text: { Data: 'Hi' } } };
    const { $metadata } = await client.send(
      new SendEmailCommand({
        FromEmailAddress: 'handbill@example.com',
        Destination: { ToAddresses: ['ann@example.com'] },
        Content: { Simple },
      }),
    );
    client.destroy();
    return $metadata.httpStatusCode;
  };

  it('stores the newest 1000 emails', async () => {
    const { endpoint, close } = await openMail(undefined, 0);
    for (const subject of ['oldest', 'second']) await send(endpoint, subject);
    for (let sent = 0; sent < 999; sent += 37) {
      await Promise.all(Array.from({ length: 37 }, () => send(endpoint, 'another')));
    }
    const { emails } = (await (await fetch(`${endpoint}/store`)).json()) as {
      readonly emails: readonly { readonly subject: string }[];
    };
    expect(emails.map(({ subject }) => subject)).toEqual([
      'second',
      ...Array.from({ length: 999 }, () => 'another'),
    ]);
    await close();
  });

  it('tells what came in after an email, and forgets all that was cleared', async () => {
    const { endpoint, close } = await openMail(undefined, 0);
    for (const subject of ['one', 'two']) await send(endpoint, subject);
    const read = async (query: string) => {
      const { emails } = (await (await fetch(`${endpoint}/store${query}`)).json()) as {
        readonly emails: readonly { readonly subject: string }[];
      };
      return emails.map(({ subject }) => subject);
    };
    expect(await read('?since=1')).toEqual(['two']);
    expect((await fetch(`${endpoint}/clear-store`, { method: 'POST' })).status).toBe(200);
    expect(await read('')).toEqual([]);
    await send(endpoint, 'three');
    expect(await read('?since=2')).toEqual(['three']);
    await close();
  });

  it('names the field of an email that SES would refuse', async () => {
    const { endpoint, close } = await openMail(undefined, 0);
    const client = new SESv2Client({ endpoint });
    const Content = { Simple: { Subject: { Data: undefined }, Body: {} } };
    const command = new SendEmailCommand({
      FromEmailAddress: 'handbill@example.com',
      Destination: { ToAddresses: ['ann@example.com'] },
      Content,
    });
    await expect(client.send(command)).rejects.toThrow('Content.Simple.Subject.Data');
    client.destroy();
    await close();
  });

  it('listens on 127.0.0.1 and reports a port in use', async () => {
    const { endpoint, close } = await openMail(undefined, 0);
    const { hostname, port } = new URL(endpoint);
    expect(hostname).toBe('127.0.0.1');
    await expect(openMail(undefined, Number(port))).rejects.toThrow(
      `Port ${port} is in use. Set LOCAL_SES_PORT to another port.`,
    );
    await close();
  });
});

describe('npm start', () => {
  it('prints the address of its email page, which a second process can use', async () => {
    const first = await startProcess({ DATA_DIR: await temporaryFolder() });
    const page =
      first.output().match(/ {2}Email +(http:\/\/127\.0\.0\.1:\d+\/[\w-]{24})\n/)?.[1] ?? '';
    const response = await fetch(page);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const second = await startProcess({
      DATA_DIR: await temporaryFolder(),
      AWS_ENDPOINT_URL_SESV2: page,
      AWS_ACCESS_KEY_ID: first.accessKey.accessKeyId,
      AWS_SECRET_ACCESS_KEY: first.accessKey.secretAccessKey,
    });
    expect(second.output()).toContain(`  Email       ${page}\n`);
    await second.stop();
    expect(await first.stop()).toBe(0);
  });

  it('disables email when MAIL_FROM is empty', async () => {
    const service = await startProcess({ DATA_DIR: await temporaryFolder(), MAIL_FROM: '' });
    expect(service.output()).toContain('  Email       off\n');
    await service.stop();
  });
});
