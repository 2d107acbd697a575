// What a process prints is searched for secrets; ../log-secrecy.test.ts says the same of what a test logs.

import { expect, it } from 'vitest';
import { takeLeaks } from '../../support/run/log-secrecy.ts';
import { send, startProcess, temporaryFolder } from '../../support/run/process.ts';

it('finds a secret printed by a process', async () => {
  const service = await startProcess({ DATA_DIR: await temporaryFolder() });
  const body = { email: 'nobody@example.com', password: 'in-the-path' };
  await send(`${service.url}/api/auth/login`, { method: 'POST', body });
  await send(`${service.url}/api/${body.password}`);
  await service.stop();
  // The generated secret that the start prints is not included.
  expect(takeLeaks()).toMatchObject([
    {
      channel: 'process',
      kind: 'password',
      line: expect.stringContaining('GET /api/in-the-path'),
    },
  ]);
});
