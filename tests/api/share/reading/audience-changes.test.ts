// What a change of who can open a share does to those who are opening it.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import { call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { instead } from '../../../support/service/interruption.ts';
import { revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import { frame, page, raw, tokenIn } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { setUser } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();

const { ann, bob, eve } = useNewPeople({ ann: 'user', bob: 'user', eve: 'user' });
const hers = sharesOf(ann);
afterEach(() => void vi.restoreAllMocks());

const view = (id: string, { token }: { readonly token?: string }, password?: string) =>
  call('GET /api/share', {
    query: { id },
    token,
    ...(password !== undefined && { headers: { 'x-share-password': password } }),
  });
const viewsOf = async (id: string): Promise<number> => (await hers.look(id)).body.views;

/** Opens a share by the form of its page, and returns the token of the view. */
const openAs = async (id: string, { token }: { readonly token: string }) =>
  tokenIn(await call('POST /s/{id}/open', { params: { id }, token, ...form({}) }));

/** Requests the source with the token of a view. */
const rawAs = (id: string, { token }: { readonly token: string }, view: string | undefined) =>
  call('GET /s/{id}/raw', { params: { id }, token, query: { view: view ?? '' } });

/** Returns the token of the frame in a page. */
const tokenOfPage = async (id: string, { token }: { readonly token: string }) => {
  const { body } = await call('GET /s/{id}', { params: { id }, token });
  return /snippets\.test\/[\w-]+\?view=([^"&]+)/.exec(body)?.[1];
};

describe('a reader who is removed', () => {
  it('takes no view that is being counted', async () => {
    const id = await hers.newShare({ viewLimit: 2, readers: [bob.id] });
    instead(documentClient(), UpdateCommand, async (go) => {
      vi.restoreAllMocks();
      expect((await hers.put(id, { readers: [eve.id] })).status).toBe(200);
      return go();
    });
    expect((await view(id, bob)).status).toBe(503);
    expect([(await view(id, bob)).status, await viewsOf(id)]).toEqual([404, 0]);
  });

  it.each([
    ['a limit', { viewLimit: 2 }],
    ['none', {}],
  ])('reads nothing by the token of a view, with %s', async (_, limit) => {
    const id = await hers.newShare({ ...limit, readers: [bob.id] });
    const token = 'viewLimit' in limit ? await openAs(id, bob) : await tokenOfPage(id, bob);
    const statuses = async () => [
      (await frame(id, token)).status,
      (await rawAs(id, bob, token)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await hers.put(id, { readers: [eve.id] });
    expect(await statuses()).toEqual([404, 404]);
  });
});

describe('the token of a reader’s view', () => {
  it('opens the frame, and nothing that has a session to anyone else', async () => {
    const id = await hers.newShare({ viewLimit: 2, readers: [bob.id, eve.id] });
    const token = await openAs(id, bob);
    expect([(await frame(id, token)).status, (await rawAs(id, bob, token)).status]).toEqual([
      200, 200,
    ]);
    // Another reader takes another view.
    expect((await rawAs(id, eve, token)).body).toBe('Open the snippet first.\n');
    expect([(await raw(id, token)).status, (await page(id, token)).status]).toEqual([401, 401]);
    expect(await viewsOf(id)).toBe(1);
  });
});

describe('a reader who is suspended', () => {
  it('reads nothing by the token of a view', async () => {
    const id = await hers.newShare({ readers: [bob.id] });
    const token = await tokenOfPage(id, bob);
    expect((await frame(id, token)).status).toBe(200);
    await setUser(bob.id, { status: 'suspended' });
    expect((await frame(id, token)).status).toBe(404);
  });
});

describe('a share that was open to all', () => {
  it('can’t be read by a token of that time', async () => {
    const id = await hers.newShare({ viewLimit: 2 });
    const token = tokenIn(await call('POST /s/{id}/open', { params: { id }, ...form({}) }));
    expect((await frame(id, token)).status).toBe(200);
    await hers.put(id, { audience: 'private' });
    expect((await frame(id, token)).status).toBe(401);
  });

  it('never shows readers what was written while it wasn’t', async () => {
    const id = await hers.newShare({ content: 'For Bob', readers: [bob.id], showsRevisions: true });
    await hers.put(id, { audience: 'link' });
    await hers.put(id, { content: 'For all' });
    await hers.put(id, { content: 'For all, once more' });
    const { items } = (await revisionsOf().revisions(id)).body;
    expect(items.map(({ version }: { version: number }) => version)).toEqual([3]);
    expect((await revisionsOf(ann).revisions(id)).body.items).toHaveLength(2);
  });
});

describe('who can’t open a share', () => {
  it('learns nothing of its end, and uses up no try of its password', async () => {
    const password = 'Abc123';
    const id = await hers.newShare({ readers: [bob.id], password });
    for (let tries = 0; tries < 7; tries++) {
      expect((await view(id, eve, 'Wrong1')).status).toBe(404);
      expect((await view(id, {}, 'Wrong1')).status).toBe(401);
    }
    expect((await view(id, bob, password)).status).toBe(200);
    await hers.end(id);
    expect((await view(id, bob, password)).status).toBe(410);
    expect((await view(id, eve, password)).status).toBe(404);
    expect((await view(id, {}, password)).body.error.message).toBe('Sign in to see this share.');
  });

  it('can’t tell a name from one that nobody has', async () => {
    await hers.newShare({ slug: 'our-plans', audience: 'private' });
    const [taken, free] = [await view('our-plans', {}), await view('our-plants', {})];
    expect([taken.status, taken.body.error.message]).toEqual([404, free.body.error.message]);
  });
});
