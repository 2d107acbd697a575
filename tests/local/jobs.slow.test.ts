import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { jobsQueueName } from '../../infra/local/jobs/queues.ts';
import {
  type ServiceProcess,
  send,
  startAndFail,
  startProcess,
  temporaryFolder,
} from '../support/run/process.ts';

const admin = { ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'my own password' };

const urlOf = ({ output }: ServiceProcess, label: string): string =>
  output().match(new RegExp(`\n +${label} +(http://\\S+)`))?.[1] ?? '';

const forget = async ({ url }: ServiceProcess): Promise<void> => {
  const body = { email: admin.ADMIN_EMAIL };
  const { status } = await send(`${url}/api/auth/forgot-password`, { method: 'POST', body });
  expect(status).toBe(200);
};

/** The mails that a process was given to deliver, once there are so many. */
const mails = (service: ServiceProcess, count: number): Promise<unknown[]> =>
  vi.waitFor(
    async () => {
      const { emails } = (await (await fetch(`${urlOf(service, 'Email')}/store`)).json()) as {
        emails: unknown[];
      };
      expect(emails.length).toBeGreaterThanOrEqual(count);
      return emails;
    },
    { timeout: 20_000, interval: 100 },
  );

/** Waits until a job was delivered, and is not done. */
const isDelivered = async (service: ServiceProcess): Promise<void> => {
  const client = new SQSClient({ endpoint: urlOf(service, 'SQS'), credentials: service.accessKey });
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: jobsQueueName }));
  await vi.waitFor(
    async () => {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      expect(Attributes?.['ApproximateNumberOfMessagesNotVisible']).toBe('1');
    },
    { timeout: 20_000, interval: 100 },
  );
  client.destroy();
};

const listenAnywhere = async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: String((server.address() as AddressInfo).port) };
};

const freePort = async (): Promise<string> => {
  const { server, port } = await listenAnywhere();
  server.close();
  await once(server, 'close');
  return port;
};

describe('local jobs', () => {
  it('are processed from a queue at the configured port', async () => {
    const LOCAL_SQS_PORT = await freePort();
    const settings = { DATA_DIR: await temporaryFolder(), LOCAL_SQS_PORT, ...admin };
    const service = await startProcess(settings);
    expect(urlOf(service, 'SQS')).toBe(`http://127.0.0.1:${LOCAL_SQS_PORT}`);
    await forget(service);
    expect(await mails(service, 1)).toHaveLength(1);
    expect(await service.stop()).toBe(0);
  });

  it('that remain after a stop are processed once after the next start', async () => {
    const settings = { DATA_DIR: await temporaryFolder(), ...admin };
    const first = await startProcess({
      ...settings,
      AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:1',
    });
    await forget(first);
    await isDelivered(first);
    expect(await first.stop()).toBe(0);

    const second = await startProcess(settings);
    expect(await mails(second, 1)).toHaveLength(1);
    expect(await second.stop()).toBe(0);
  });

  it('are processed once by two processes with one queue', async () => {
    const DATA_DIR = await temporaryFolder();
    const first = await startProcess({ DATA_DIR, ...admin });
    const second = await startProcess({
      DATA_DIR,
      ...admin,
      AWS_ENDPOINT_URL_DYNAMODB: first.dynamoDbUrl,
      AWS_ENDPOINT_URL_S3: urlOf(first, 'S3'),
      AWS_ENDPOINT_URL_SQS: urlOf(first, 'SQS'),
      AWS_ENDPOINT_URL_SESV2: urlOf(first, 'Email'),
    });
    expect(urlOf(second, 'SQS')).toBe(urlOf(first, 'SQS'));
    const count = 10;
    await Promise.all(Array.from({ length: count }, (_, at) => forget(at % 2 ? first : second)));
    expect(await mails(first, count)).toHaveLength(count);
    expect(await second.stop()).toBe(0);
    expect(await first.stop()).toBe(0);
  });

  it.each([
    ['LOCAL_SQS_PORT', 'abc', 'Set LOCAL_SQS_PORT to a port from 0 (any free one) to 65535.'],
    [
      'AWS_ENDPOINT_URL_SQS',
      'nowhere',
      'Set AWS_ENDPOINT_URL_SQS to a URL such as http://127.0.0.1:8000.',
    ],
    [
      'AWS_ENDPOINT_URL_SQS',
      'http://127.0.0.1:1',
      'Can’t reach SQS at http://127.0.0.1:1. Check that it is running and your permissions.',
    ],
  ])('fail the start with a message for %s=%s', async (name, value, sentence) => {
    const settings = { DATA_DIR: await temporaryFolder(), [name]: value };
    expect(await startAndFail(settings)).toEqual({ code: 1, output: '', errors: `${sentence}\n` });
  });

  it('fail the start if the port is in use', async () => {
    const { server, port } = await listenAnywhere();
    onTestFinished(() => void server.close());
    const settings = { DATA_DIR: await temporaryFolder(), LOCAL_SQS_PORT: port };
    const errors = `Port ${port} is in use. Set LOCAL_SQS_PORT to another port.\n`;
    expect(await startAndFail(settings)).toEqual({ code: 1, output: '', errors });
  });
});
