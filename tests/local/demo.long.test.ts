import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { send, startAndFail, startProcess, temporaryFolder } from '../support/run/process.ts';

const options = ['--demo'];

/** Starts the demo and returns a function that sends requests as its administrator. */
const startDemo = async (settings: Record<string, string>) => {
  const service = await startProcess(settings, options);
  const [, email, password] = service.output().match(/Admin +(\S+), password (\S+)/) ?? [];
  const body = { email, password };
  const { token } = (await send(`${service.url}/api/auth/login`, { method: 'POST', body })).body;
  const read = async (path: string) =>
    (await send(`${service.url}/api/${path}`, { token })).body.data;
  return { service, token, read };
};

/** Reads what a start must not change. */
const readTotals = async (read: (path: string) => Promise<Record<string, unknown>>) => {
  const { totalUsers, shares, documents, files, messages, totalOrders } =
    await read('dashboard/stats');
  return { totalUsers, shares, documents, files, messages, totalOrders };
};

describe('npm start -- --demo', () => {
  it('fills each list once, with a history of weeks', async () => {
    const DATA_DIR = await temporaryFolder();
    const { service, token, read } = await startDemo({ DATA_DIR });
    const totals = await readTotals(read);
    expect(totals).toMatchObject({ totalUsers: 11, shares: 11, documents: 12 });
    for (const path of [
      'messages',
      'notifications',
      'files',
      'shares',
      'audit',
      'documents/trash',
    ]) {
      expect((await read(path)).items, path).not.toHaveLength(0);
    }
    const printed = service.output();
    for (const [role, who] of [
      ['Employee', 'luca'],
      ['Newcomer', 'sam'],
    ] as const) {
      const [, password] = printed.match(new RegExp(`${role} +${who}@\\S+, password (\\S+)`)) ?? [];
      const body = { email: `${who}@heron.example.com`, password };
      expect(await send(`${service.url}/api/auth/login`, { method: 'POST', body })).toMatchObject({
        status: 200,
      });
    }
    const { items: shared } = await read('shares');
    const audiences = shared.map(({ audience }: { audience: string }) => audience);
    expect(new Set(audiences)).toEqual(new Set(['link', 'people', 'members', 'private']));
    // One job waits to be tried again, and no other has failed.
    const failedJobs = await read('settings/failed-jobs');
    expect(failedJobs).toHaveLength(1);
    const retry = `${service.url}/api/settings/failed-jobs/${failedJobs[0].id}/retry`;
    expect((await send(retry, { method: 'POST', token })).status).toBe(200);
    expect(await read('settings/failed-jobs')).toEqual([]);
    expect(printed + service.errors()).not.toContain('ERROR');
    const visits: readonly { visits: number }[] = await read('dashboard/visits');
    expect(visits.filter((day) => day.visits > 0).length).toBeGreaterThan(5);
    const sales: readonly { orders: number }[] = await read('dashboard/sales');
    expect(sales.every(({ orders }) => orders > 0)).toBe(true);
    const { items } = await read('documents?sort=createdAt');
    expect(
      items.every(({ createdAt }: { createdAt: string }) => Date.parse(createdAt) < Date.now()),
    ).toBe(true);
    await service.stop();

    const second = await startDemo({ DATA_DIR });
    expect(await readTotals(second.read)).toEqual(totals);
    await second.service.stop();
  });

  it('starts over after an interrupted start', async () => {
    const DATA_DIR = await temporaryFolder();
    const { service } = await startDemo({ DATA_DIR });
    await service.stop();
    const file = join(DATA_DIR, 'demo.json');
    const { password } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ password, isComplete: false }));
    const again = await startDemo({ DATA_DIR });
    expect(await readTotals(again.read)).toMatchObject({ totalUsers: 11, shares: 11 });
    await again.service.stop();
  });

  it('refuses a folder with other data', async () => {
    const DATA_DIR = await temporaryFolder();
    await (await startProcess({ DATA_DIR })).stop();
    expect(await startAndFail({ DATA_DIR }, options)).toMatchObject({
      code: 1,
      errors: `The data folder ${DATA_DIR} has data that is not the demo’s. Set DATA_DIR to another folder.\n`,
    });
  });

  it('rejects unknown options and other engines', async () => {
    const DATA_DIR = await temporaryFolder();
    expect((await startAndFail({ DATA_DIR }, ['--fill'])).errors).toMatch(
      /^Start with no options, or with --demo\.\nUsage: npm start /,
    );
    const AWS_ENDPOINT_URL_S3 = 'http://127.0.0.1:9';
    expect((await startAndFail({ DATA_DIR, AWS_ENDPOINT_URL_S3 }, options)).errors).toBe(
      'Unset AWS_ENDPOINT_URL_S3. The demo fills only local data.\n',
    );
  });
});
