import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  addressOf,
  type ServiceProcess,
  send,
  startAndFail,
  startProcess,
  temporaryFolder,
} from '../support/run/process.ts';
import { openTestQueues, serveQueues } from '../support/service/queue-server.ts';

const admin = { ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'my own password' };

const forget = async ({ url }: ServiceProcess): Promise<void> => {
  const body = { email: admin.ADMIN_EMAIL };
  const { status } = await send(`${url}/api/auth/forgot-password`, { method: 'POST', body });
  expect(status).toBe(200);
};

/** The mails that a process was given to deliver, once there are so many. A killed job runs again once its time is over. */
const mails = async (service: ServiceProcess, count: number): Promise<readonly unknown[]> => {
  let emails: readonly unknown[] = [];
  const read = async () => {
    ({ emails } = (await (await fetch(`${addressOf(service, 'Email')}/store`)).json()) as {
      emails: unknown[];
    });
    return emails.length;
  };
  await expect.poll(read).toBeGreaterThanOrEqual(count);
  return emails;
};

describe('local jobs', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'that remain after %s are processed once after the next start',
    async (signal) => {
      const settings = { DATA_DIR: await temporaryFolder(), ...admin };
      const first = await startProcess({
        ...settings,
        AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:1',
      });
      await forget(first);
      const exited = once(first.child, 'exit');
      first.child.kill(signal);
      await exited;

      const second = await startProcess(settings);
      expect(await mails(second, 1)).toHaveLength(1);
      expect(await second.stop()).toBe(0);
    },
  );

  it('are processed once by two processes with one queue', async () => {
    const DATA_DIR = await temporaryFolder();
    const queues = openTestQueues();
    const sqs = await serveQueues(queues.engine);
    onTestFinished(async () => {
      await sqs.close();
      queues.close();
    });
    const settings = { DATA_DIR, ...admin, AWS_ENDPOINT_URL_SQS: sqs.endpoint };
    const first = await startProcess(settings);
    const second = await startProcess({
      ...settings,
      AWS_ENDPOINT_URL_DYNAMODB: first.dynamoDbUrl,
      AWS_ENDPOINT_URL_S3: addressOf(first, 'S3'),
      AWS_ENDPOINT_URL_SESV2: addressOf(first, 'Email'),
    });
    const count = 10;
    await Promise.all(Array.from({ length: count }, (_, at) => forget(at % 2 ? first : second)));
    expect(await mails(first, count)).toHaveLength(count);
    expect(await second.stop()).toBe(0);
    expect(await first.stop()).toBe(0);
  });

  it('fail the start with a message if the queue can’t be reached', async () => {
    const settings = {
      DATA_DIR: await temporaryFolder(),
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1',
    };
    const errors =
      'Can’t reach SQS at http://127.0.0.1:1. Check that it is running and your permissions.\n';
    expect(await startAndFail(settings)).toEqual({ code: 1, output: '', errors });
  });

  it('fail the start if their file is corrupt', async () => {
    const DATA_DIR = await temporaryFolder();
    await writeFile(join(DATA_DIR, 'jobs.sqlite'), 'not a database '.repeat(99));
    const errors = `Can’t open the data in ${DATA_DIR}. Restore a backup, or set DATA_DIR to another folder.\n`;
    expect(await startAndFail({ DATA_DIR })).toEqual({ code: 1, output: '', errors });
  });
});
