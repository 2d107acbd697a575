import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listGroups } from '../../../functions/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { useServer } from '../../support/run/server.ts';
import { dieAt, instead, settling } from '../../support/service/interruption.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();

// Uses the gateway: a request in progress expires with the timeout of the function.
const gateway = useServer(createGateway(listGroups('service'), () => undefined));

const { ann } = useNewPeople({ ann: newPerson });
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The timeout of a function, after which a first attempt counts as dead. */
const invocationMs = 30_000;
const body = { content: '<p>Hi</p>', title: 'Hi', useRandomPassword: true };

const create = async (key: string, sent: object = body, { token } = ann, path = '/api/share') => {
  const response = await fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(sent),
  });
  const told = await response.json();
  const isReplayed = response.headers.get('idempotency-replayed') === 'true';
  const { password, ...rest } = told;
  return { status: response.status, isReplayed, told, password, rest };
};

/** Returns the shares of Ann. */
const shares = async () => (await sharesOf(ann).list()).body as { total: number; items: object[] };
/** Returns the audit entries of a share. */
const noted = (id: string) => itemsOf(`AUDIT#SUBJECT#share:${id}`);
const passInvocation = () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + invocationMs + 1_000 });
};
const aPassword = expect.stringMatching(/^[A-Za-z0-9]{6}$/);

describe('POST /api/share with an Idempotency-Key', () => {
  it('creates one share and returns its password only once', async () => {
    const key = randomUUID();
    const first = await create(key);
    expect([first.status, first.isReplayed, first.password]).toEqual([201, false, aPassword]);
    const again = await create(key);
    expect([again.status, again.isReplayed, again.told]).toEqual([201, true, first.rest]);
    expect(await shares()).toMatchObject({ total: 1, items: [{ id: first.rest.id }] });
    expect((await view(first.rest.id, first.password)).status).toBe(200);
    const kept = JSON.stringify(await itemsOf(`IDEMPOTENCY#${ann.id}`));
    expect(kept).toContain(first.rest.id);
    expect(kept).not.toContain(first.password);
  });

  it('creates one share for 20 concurrent requests and returns the password in one response', async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(key)));
    const done = responses.filter(({ status }) => status === 201);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(20 - done.length);
    const [first] = done.filter(({ isReplayed }) => !isReplayed);
    expect(done.filter(({ password }) => password !== undefined)).toEqual([first]);
    for (const { rest } of done) expect(rest).toEqual(first?.rest);
    expect(await shares()).toMatchObject({ total: 1, items: [{ id: first?.rest.id }] });
    expect(await noted(first?.rest.id)).toHaveLength(1);
    expect((await create(key)).told).toEqual(first?.rest);
  });

  it('rejects a different body and reveals nothing to another user', async () => {
    const key = randomUUID();
    const { rest } = await create(key);
    const other = await create(key, { ...body, title: 'Bye' });
    expect([other.status, other.told.error.code]).toEqual([422, 'UNPROCESSABLE']);
    const bob = await newPerson();
    const his = await create(key, { ...body, title: 'Bye' }, bob);
    expect([his.status, his.isReplayed, his.password]).toEqual([201, false, aPassword]);
    expect(his.rest.id).not.toBe(rest.id);
    expect((await shares()).total).toBe(1);
  });

  it('creates one share if the response of the table is lost', async () => {
    const key = randomUUID();
    instead(documentClient(), TransactWriteCommand, async (go) => {
      await go();
      throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    });
    const first = await create(key);
    // The password was never returned and is not stored: the owner must set another one.
    expect([first.status, first.isReplayed, first.password]).toEqual([201, true, undefined]);
    expect((await create(key)).told).toEqual(first.told);
    expect(await shares()).toMatchObject({ total: 1, items: [{ id: first.rest.id }] });
    expect(await noted(first.rest.id)).toHaveLength(1);
  });

  it('repeats the first response for a share that was deleted since', async () => {
    const key = randomUUID();
    const { rest } = await create(key);
    expect((await sharesOf(ann).remove(rest.id)).status).toBe(200);
    const again = await create(key);
    expect([again.status, again.isReplayed, again.told]).toEqual([201, true, rest]);
    expect((await shares()).total).toBe(0);
  });
});

describe('an interrupted first POST /api/share', () => {
  it('lets a retry create the share and return a password, if it created none', async () => {
    const key = randomUUID();
    const dead = dieAt(documentClient(), TransactWriteCommand);
    void create(key).catch(() => undefined);
    await dead;
    expect((await create(key)).status).toBe(409);
    passInvocation();
    const made = await create(key);
    expect([made.status, made.isReplayed, made.password]).toEqual([201, false, aPassword]);
    expect((await shares()).total).toBe(1);
  });

  it('lets a retry return the share that it created', async () => {
    const key = randomUUID();
    const dead = dieAt(documentClient(), settling);
    void create(key).catch(() => undefined);
    await dead;
    const [share] = (await shares()).items;
    expect((await create(key, { ...body, title: 'Bye' })).status).toBe(422);
    const recalled = await create(key);
    expect([recalled.status, recalled.isReplayed, recalled.password]).toEqual([
      201,
      true,
      undefined,
    ]);
    const { id, language, url } = share as { id: string; language: string; url: string };
    expect(recalled.told).toEqual({ id, language, url, message: 'Shared' });
    expect((await create(key)).told).toEqual(recalled.told);
    expect((await shares()).total).toBe(1);
    expect(await noted(id)).toHaveLength(1);
  });

  it('lets a retry return 404 if its share was deleted since', async () => {
    const key = randomUUID();
    const dead = dieAt(documentClient(), settling);
    void create(key).catch(() => undefined);
    await dead;
    const [share] = (await shares()).items as { id: string }[];
    await sharesOf(ann).remove(share?.id ?? '');
    passInvocation();
    for (const { status, told } of [await create(key), await create(key)]) {
      expect([status, told.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await shares()).total).toBe(0);
  });
});

describe('POST /api/share/{id}/links with an Idempotency-Key', () => {
  const label = { label: 'Mei', viewLimit: 2 };
  const newShare = async () => {
    const id = await sharesOf(ann).newShare();
    const addLink = (key: string, sent: object = label) =>
      create(key, sent, ann, `/api/share/${id}/links`);
    const links = async () => (await linksOf(ann).links(id)).body.items;
    return { id, addLink, links };
  };

  it('creates one link, also for 20 concurrent requests', async () => {
    const { id, addLink, links } = await newShare();
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 20 }, () => addLink(key)));
    const done = responses.filter(({ status }) => status === 201);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(20 - done.length);
    const again = await addLink(key);
    expect([again.status, again.isReplayed]).toEqual([201, true]);
    expect(await links()).toEqual([again.told]);
    for (const { told } of done) expect(told).toEqual(again.told);
    expect((await addLink(key, { label: 'Luca' })).status).toBe(422);
    expect((await noted(id)).map(({ action }) => action).toSorted()).toEqual([
      'share.create',
      'share.create-link',
    ]);
  });

  it('is none of the same key for another share', async () => {
    const [one, other] = [await newShare(), await newShare()];
    const key = randomUUID();
    expect((await one.addLink(key)).isReplayed).toBe(false);
    expect((await other.addLink(key)).isReplayed).toBe(false);
    expect(await other.links()).toHaveLength(1);
  });

  it('lets a retry return the link that an interrupted request created', async () => {
    const { addLink, links } = await newShare();
    const key = randomUUID();
    const dead = dieAt(documentClient(), settling);
    void addLink(key).catch(() => undefined);
    await dead;
    const recalled = await addLink(key);
    expect([recalled.status, recalled.isReplayed]).toEqual([201, true]);
    expect(await links()).toEqual([recalled.told]);
  });

  it('leaves the id of the link out of the audit log: it opens the share', async () => {
    const { id, addLink } = await newShare();
    const { told } = await addLink(randomUUID());
    expect(JSON.stringify(await noted(id))).not.toContain(told.id);
  });
});
