import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateSummaryCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listGroups } from '../../../functions/routes.ts';
import { smoke, testService } from '../../../infra/commands/smoke.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { outputNames } from '../../../infra/stack/stack-name.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();
useBucket();
useJobs();

/** Starts the service, and creates an API token of its administrator. */
const start = async (settings: Readonly<Record<string, string>> = {}) => {
  const { url } = await startFreshService(settings);
  const login = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  const { accessToken: session } = login.body;
  const body = { name: 'Smoke', permissions: ['users:*', 'shares:*', 'files:*'] };
  const created = await send(`${url}/api/auth/tokens`, { method: 'POST', token: session, body });
  return { url, session, token: created.body.data.token as string };
};

let printed: string;
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('npm run smoke', () => {
  it('passes, and leaves nothing behind', async () => {
    const service = await start();
    vi.stubEnv('HANDBILL_TOKEN', service.token);
    await smoke(['--url', service.url]);
    expect(printed).toBe('Smoke test passed: sign in, share, open, upload, delete.\n');
    const list = async (path: string) =>
      (await send(`${service.url}${path}`, { token: service.session })).body.data.items;
    expect((await list('/api/users')).map(({ email }: { email: string }) => email)).toEqual([
      admin.email,
    ]);
    expect(await list('/api/shares')).toEqual([]);
    expect(await list('/api/files')).toEqual([]);
  });

  it.each([
    ['without a token', ['--url', 'http://localhost:3000'], 'Set HANDBILL_TOKEN'],
    ['with another address', ['--url', 'ftp://localhost'], 'Set --url to the address'],
    ['with a stage too', ['--url', 'http://localhost', '--stage', 'dev'], 'not both'],
  ])('is refused %s', async (_, args, message) => {
    await expect(smoke(args)).rejects.toThrow(message);
  });

  it.each(['closed', 'invite'])(
    'creates its account with REGISTRATION=%s, if the token may',
    async (mode) => {
      const { url, session, token } = await start({ REGISTRATION: mode });
      vi.stubEnv('HANDBILL_TOKEN', token);
      await smoke(['--url', url]);
      expect(printed).toContain('registration isn’t open, and the API token can’t create users');
      vi.stubEnv('HANDBILL_TOKEN', session);
      await smoke(['--url', url]);
      expect(printed).toContain('Smoke test passed');
    },
  );

  it('is skipped where its address isn’t allowed', async () => {
    const { url, token } = await start({ ALLOWED_DOMAINS: 'example.com' });
    vi.stubEnv('HANDBILL_TOKEN', token);
    await smoke(['--url', url]);
    expect(printed).toBe('Smoke test skipped: ALLOWED_DOMAINS refuses its address.\n');
  });
});

describe('npm run smoke -- --stage', () => {
  const stub = (values: Readonly<Record<string, string | undefined>>) => {
    const names = [...outputNames, ...Object.keys(values)];
    const Outputs = names.map((OutputKey) => ({
      OutputKey,
      OutputValue: values[OutputKey] ?? 'http://127.0.0.1:9',
    }));
    mockClient(CloudFormationClient)
      .on(GetTemplateSummaryCommand)
      .resolves({})
      .on(DescribeStacksCommand)
      .resolves({
        Stacks: [
          { StackName: 'x', CreationTime: new Date(), StackStatus: 'CREATE_COMPLETE', Outputs },
        ],
      });
  };

  it('makes the account by the credentials of AWS, and removes it, whoever may register', async () => {
    vi.stubEnv('REGISTRATION', 'closed');
    vi.stubEnv('ALLOWED_DOMAINS', 'example.com');
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    const server = createGateway(listGroups('service'), () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    stub({
      ServiceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      TableName: process.env['TABLE_NAME'],
    });
    await smoke(['--stage', 'dev']);
    expect(printed).toBe('Smoke test passed: sign in, share, open, upload, delete.\n');
    expect(await itemsOf('USERS')).toEqual([]);
    server.close();
  });

  it('says which names of an own domain aren’t in DNS, and doesn’t fail', async () => {
    stub({
      ServiceUrl: 'https://share.handbill.invalid',
      ServiceDnsTarget: 'd-1.execute-api.eu-central-1.amazonaws.com',
    });
    await smoke(['--stage', 'dev']);
    expect(printed).toBe(
      [
        'DNS has no entry for share.handbill.invalid: set a CNAME to d-1.execute-api.eu-central-1.amazonaws.com, or an ALIAS at the top of a domain.',
        'Smoke test skipped: run `npm run smoke -- --stage dev` once DNS has these names.\n',
      ].join('\n'),
    );
  });
});

describe('a smoke test of a service that fails', () => {
  const listeners = process.listenerCount('SIGINT');

  /** Answers with these statuses and bodies, by path. */
  const serve = async (answer: (path: string) => [status: number, body: object]) => {
    const listener: RequestListener = (request, response) => {
      request.resume().on('end', () => {
        const [status, body] = answer(request.url ?? '');
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    };
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    return { server, url: `http://127.0.0.1:${port}` };
  };

  const caretakerOf = (removed: number[]) => ({
    create: async () => 7,
    remove: async (id: number) => void removed.push(id),
  });

  it('says what failed, and removes the account', async () => {
    const removed: number[] = [];
    const { server, url } = await serve((path) =>
      path === '/api/auth/login' ? [200, { accessToken: 't' }] : [503, {}],
    );
    await expect(testService(url, caretakerOf(removed))).rejects.toThrow(
      'Smoke test failed: POST /api/share (503).',
    );
    expect(removed).toEqual([7]);
    server.close();
  });

  it('ends at Ctrl+C, and removes the account', async () => {
    const removed: number[] = [];
    const { server, url } = await serve(() => {
      process.emit('SIGINT');
      return [200, {}];
    });
    await expect(testService(url, caretakerOf(removed))).rejects.toThrow('Smoke test canceled.');
    expect(removed).toEqual([7]);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
    server.close();
  });

  it('says which account is left', async () => {
    const { server, url } = await serve(() => [503, {}]);
    const remove = async () => {
      throw new Error('The table is throttled.');
    };
    await expect(testService(url, { create: async () => 7, remove })).rejects.toThrow(
      /^The smoke test’s user success\+\w+@simulator\.amazonses\.com couldn’t be removed: The table is throttled\. Delete it at \/users\.$/,
    );
    server.close();
  });

  it('says that there is no answer', async () => {
    const { server, url } = await serve(() => [200, {}]);
    await new Promise((resolve) => server.close(resolve));
    await expect(testService(url, caretakerOf([]))).rejects.toThrow('got no answer');
  });
});
