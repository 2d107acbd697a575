import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { putObject } from '../../../../shared/storage/bucket.ts';
import { deployment } from '../deployment.ts';
import type { Flows } from './flow.ts';

/** Serves as where CloudFormation waits for an answer. */
const awaitAnswer = async (ask: (url: string) => Promise<unknown>): Promise<string> => {
  let answered = '';
  const server = createServer(async (incoming, response) => {
    answered = Buffer.concat(await incoming.toArray()).toString();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  return answered;
};

export const otherFlows: Flows = {
  'a deployment with other assets': async () => {
    const { origins, invoke } = deployment();
    const former = { '/assets/scripts/old.aaaaaaaa.js': '2020-01-01T00:00:00.000Z' };
    await putObject('assets/index.json', Buffer.from(JSON.stringify(former)));
    const ids = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l' };
    const answered = await awaitAnswer((ResponseURL) =>
      invoke('asset-store', { RequestType: 'Create', ResponseURL, ...ids }),
    );
    expect(JSON.parse(answered)).toMatchObject({ Status: 'SUCCESS' });
    const missing = await fetch(`${origins.service}/assets/scripts/old.aaaaaaaa.js`);
    expect(missing.status).toBe(404);
  },

  'what is no route': async () => {
    for (const origin of Object.values(deployment().origins)) {
      expect((await fetch(`${origin}/no/such/thing`)).status).toBe(404);
    }
    const { origins } = deployment();
    expect((await fetch(`${origins.service}/api/auth/me`, { method: 'PATCH' })).status).toBe(405);
  },
};
