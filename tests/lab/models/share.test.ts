import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  forgetTexts,
  keepTexts,
  recallTexts,
} from '../../../functions/api/share/reading/text-memory.ts';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { PackedTexts } from '../../../shared/storage/stored-text.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { type NewShare, newShareAccount, type ShareEdit } from '../../support/shares/account.ts';
import { type Asker, askers, type OpensTo, openings } from '../../support/shares/audience-model.ts';
import { shareOf, textObjects } from '../../support/shares/objects.ts';
import { passwords } from '../../support/shares/reading-model.ts';
import { frame, page, raw, view } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import {
  answersOf,
  type Deed,
  linkLimit,
  newCrowd,
  servedOf,
} from '../support/shares/concurrent-viewers.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const day = 86_400_000;

let admin: { readonly email: string; token: string };
beforeAll(async () => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '1d');
  // Members are those whom someone has invited.
  vi.stubEnv('REGISTRATION', 'invite');
  admin = await newUserOf('super_admin');
});
afterAll(() => void vi.unstubAllEnvs());

const Opening = fc.constantFrom<OpensTo>('link', 'link', ...openings);
const AnyAsker = fc.constantFrom<Asker>('nobody', ...askers);

const Fields: fc.Arbitrary<NewShare> = fc.record({
  viewLimit: fc.constantFrom(undefined, undefined, 1, 2, 3),
  password: fc.constantFrom(undefined, undefined, undefined, passwords[0]),
  expiresIn: fc.constantFrom(undefined, undefined, 45, 600),
  language: fc.constantFrom('html' as const, 'markdown' as const),
  opensTo: Opening,
  isLarge: fc.boolean(),
});

/** The fields of an edit; `null` removes a field. */
const Edit = fc.oneof(
  fc.record({ viewLimit: fc.constantFrom(null, 1, 2, 5) }),
  fc.record({ password: fc.constantFrom(null, ...passwords) }),
  fc.record({ expiresIn: fc.constantFrom(null, 45, 600) }),
  fc.record({ title: fc.constantFrom('Other', 'Another') }),
  fc.record({ content: fc.constantFrom('small', 'large') }),
  fc.record({ opensTo: Opening }),
  fc.record({ opensTo: Opening, content: fc.constantFrom('small', 'large') }),
);

const ways = ['right', 'wrong', 'none'] as const;
const kinds = {
  create: Fields.map((fields) => ({ kind: 'create' as const, fields })),
  view: fc.record({
    kind: fc.constant('view' as const),
    given: fc.constantFrom(...ways),
    method: fc.constantFrom('GET', 'GET', 'HEAD'),
    asker: AnyAsker,
  }),
  open: fc.record({
    kind: fc.constant('open' as const),
    given: fc.constantFrom(...ways),
    isRepeat: fc.boolean(),
    asker: AnyAsker,
  }),
  page: fc.record({
    kind: fc.constantFrom('page' as const, 'raw' as const, 'frame' as const),
    isWithToken: fc.boolean(),
    asker: AnyAsker,
  }),
  unseen: fc.constantFrom({ kind: 'headPage' as const }, { kind: 'prefetch' as const }),
  edit: Edit.map((change) => ({ kind: 'edit' as const, change })),
  wait: fc
    .constantFrom(20_000, 40_000, 61_000, 130_000, 91 * day)
    .map((ms) => ({ kind: 'wait' as const, ms })),
  other: fc.constantFrom(
    ...(['delete', 'takeDown', 'keep', 'suspend', 'reactivate', 'receipts'] as const).map(
      (kind) => ({ kind }),
    ),
  ),
  moderation: fc.oneof(
    AnyAsker.map((asker) => ({ kind: 'report' as const, asker })),
    fc.constant({ kind: 'moderate' as const }),
  ),
  sweep: fc.constant({ kind: 'sweep' as const }),
  link: fc.oneof(
    fc.record({
      kind: fc.constant('addLink' as const),
      viewLimit: fc.constantFrom(undefined, 1, 2),
      expiresIn: fc.constantFrom(undefined, undefined, 45),
    }),
    fc.record({
      kind: fc.constantFrom('viewByLink' as const, 'viewByLink' as const, 'revokeLink' as const),
      no: fc.nat(3),
    }),
  ),
  revision: fc.record({
    kind: fc.constantFrom('seeRevisions' as const, 'restore' as const),
    no: fc.nat(3),
  }),
  process: fc.constant({ kind: 'switchProcess' as const }),
  slug: fc.record({
    kind: fc.constantFrom(
      ...(['takeSlug', 'takeSlug', 'dropSlug', 'viewBySlug', 'viewBySlug', 'compete'] as const),
    ),
    no: fc.nat(1),
    asker: AnyAsker,
  }),
};
const Command = fc.record({
  at: fc.nat(2),
  what: fc.oneof(
    { weight: 3, arbitrary: kinds.create },
    { weight: 5, arbitrary: kinds.view },
    { weight: 5, arbitrary: kinds.open },
    { weight: 5, arbitrary: kinds.page },
    { weight: 1, arbitrary: kinds.unseen },
    { weight: 3, arbitrary: kinds.edit },
    { weight: 4, arbitrary: kinds.wait },
    { weight: 2, arbitrary: kinds.other },
    { weight: 2, arbitrary: kinds.moderation },
    { weight: 2, arbitrary: kinds.sweep },
    { weight: 5, arbitrary: kinds.link },
    { weight: 5, arbitrary: kinds.slug },
    { weight: 4, arbitrary: kinds.revision },
    { weight: 4, arbitrary: kinds.process },
  ),
});
type What = (typeof Command extends fc.Arbitrary<infer T> ? T : never)['what'];

type Account = Awaited<ReturnType<typeof newShareAccount>>;

/** What the process that doesn't answer at present keeps of shares. */
const keptByOther = new Map<string, PackedTexts>();

/** Lets the other of two processes answer about a share: each keeps the texts that it has read itself. */
const switchProcess = (id: string): void => {
  const [kept, others] = [recallTexts(id), keptByOther.get(id)];
  if (kept) keptByOther.set(id, kept);
  else keptByOther.delete(id);
  if (others) keepTexts(id, others);
  else forgetTexts(id);
};

const act = async (account: Account, what: What, at: number): Promise<unknown> => {
  if (what.kind === 'create') return account.create(what.fields);
  if (what.kind === 'wait') return account.wait(what.ms);
  if (what.kind === 'sweep') return account.sweep();
  if (what.kind === 'suspend') return account.setStatus(true);
  if (what.kind === 'reactivate') return account.setStatus(false);
  if (what.kind === 'viewBySlug') return account.slugs.view(what.no, what.asker);
  if (what.kind === 'compete') return account.slugs.compete(what.no);
  const id = account.idAt(at);
  if (id === undefined) return undefined;
  if (what.kind === 'switchProcess') return switchProcess(id);
  if (what.kind === 'takeSlug') return account.slugs.change(id, what.no);
  if (what.kind === 'dropSlug') return account.slugs.change(id, undefined);
  if (what.kind === 'seeRevisions') return account.revisions.check(id, what.no);
  if (what.kind === 'restore') return account.revisions.restore(id, what.no);
  if ('isWithToken' in what) return account.lookAt(id, what);
  if (what.kind === 'view') return account.view(id, what);
  if (what.kind === 'open') return account.open(id, what.given, what.isRepeat, what.asker);
  if (what.kind === 'headPage') return page(id, undefined, 'HEAD');
  if (what.kind === 'prefetch') return prefetch(id);
  if (what.kind === 'addLink') return account.links.add(id, what);
  if (what.kind === 'viewByLink') return account.links.view(id, what.no);
  if (what.kind === 'revokeLink') return account.links.revoke(id, what.no);
  if (what.kind === 'edit') return account.edit(id, what.change);
  if (what.kind === 'delete') return account.remove(id);
  if (what.kind === 'report') return account.report(id, what.asker);
  if (what.kind === 'moderate') return account.moderate(id);
  if (what.kind === 'receipts') return account.checkReceipts(id);
  if (what.kind === 'takeDown') return account.decide(id, true);
  return account.decide(id, false);
};

/** Prefetching counts no view: the API rejects it, the page is shown. */
const prefetch = async (id: string) => {
  const headers = { 'sec-purpose': 'prefetch;prerender' };
  expect((await call('GET /api/share', { query: { id }, headers })).status).toBe(400);
  await call('GET /s/{id}', { params: { id }, headers });
};

const manage = async (query: Readonly<Record<string, string>> = {}) =>
  (await call('GET /api/shares', { token: admin.token, query: { pageSize: '100', ...query } })).body
    .data;

const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).toSorted();

/** Checks that content is stored where expected, and nowhere else, after all scheduled deletions. */
const checkTexts = async (account: Account) => {
  await account.wait(2 * 3_600_000);
  // Shares that ended in the meantime become tombstones, and their objects are deleted a moment later.
  await account.wait(1_000);
  await account.sweep();
  const living = account.shares().filter(({ isTombstone }) => !isTombstone);
  const made = new Set(account.ids());
  const objects = (await textObjects()).map(shareOf).filter((id) => made.has(id));
  const large = living.flatMap(({ id, text }) =>
    [text, ...account.revisions.ofShare(id).map((revision) => revision.text)]
      .filter(({ length }) => length > 20_000)
      .map(() => id),
  );
  expect(objects.toSorted()).toEqual(large.toSorted());
  const texts = await batchGet(account.shares().map(({ id }) => shareKeys.content.at({ id })));
  expect(texts.map((item) => item !== undefined)).toEqual(
    account
      .shares()
      .map(
        ({ isTombstone, text: { length } }) => !isTombstone && length > 1_000 && length < 20_000,
      ),
  );
};

const checkLists = async (account: Account) => {
  const reported = account.shares().filter(({ reports }) => reports > 0);
  const waiting = await manage({ reported: 'true' });
  expect(ids(waiting.items)).toEqual(ids(reported));
  expect(waiting.total).toBe(reported.length);
  const all = await manage();
  expect(ids(all.items)).toEqual(ids(account.shares()));
  expect(all.total).toBe(account.shares().length);
  await account.checkReceived();
  for (const id of account.ids()) await account.checkReceipts(id);
};

const free = { viewLimit: undefined, password: undefined, expiresIn: undefined } as const;
const create = (fields: Partial<NewShare>): What => ({
  kind: 'create',
  fields: { ...free, language: 'html', opensTo: 'link', isLarge: false, ...fields },
});
const edit = (change: ShareEdit): What => ({ kind: 'edit', change: change as never });
const look: What = { kind: 'page', isWithToken: true, asker: 'nobody' };
const restoreIt: What = { kind: 'restore', no: 0 };
const seeRevisions: What = { kind: 'seeRevisions', no: 0 };
const viewNow: What = { kind: 'view', given: 'none', method: 'GET', asker: 'nobody' };
const openNow: What = { kind: 'open', given: 'none', isRepeat: false, asker: 'nobody' };
const switchIt: What = { kind: 'switchProcess' };

/** Regressions, and what the random ones seldom do. */
const examples = [
  // A content is restored, also one that is too large for the table.
  ...[false, true].map((isLarge) => [
    create({ isLarge }),
    edit({ content: 'small' }),
    seeRevisions,
    restoreIt,
    viewNow,
    edit({ content: 'large' }),
    edit({ content: 'small' }),
    { kind: 'wait', ms: 20_000 },
    restoreIt,
    viewNow,
    seeRevisions,
    { kind: 'wait', ms: 91 * day },
    seeRevisions,
    restoreIt,
  ]),
  // Another process still keeps what was replaced.
  ...[false, true].map((isLarge) => [
    create({ isLarge }),
    viewNow,
    edit({ content: isLarge ? 'small' : 'large' }),
    switchIt,
    edit({ content: isLarge ? 'large' : 'small' }),
    viewNow,
    switchIt,
    viewNow,
    look,
  ]),
  // A tombstone past its retention, before it is deleted.
  [
    create({ expiresIn: 45 }),
    { kind: 'wait', ms: 130_000 },
    { kind: 'wait', ms: 91 * day },
    viewNow,
  ],
  // The same with a suspended owner.
  [create({ expiresIn: 45 }), { kind: 'wait', ms: 91 * day }, { kind: 'suspend' }, openNow],
  // The same for the API.
  [
    create({}),
    { kind: 'suspend' },
    edit({ expiresIn: 45 }),
    { kind: 'wait', ms: 91 * day },
    viewNow,
  ],
  // The owner is suspended within a minute of the last view.
  [create({ viewLimit: 1 }), openNow, look, { kind: 'suspend' }, look],
  // The view of a reader is no one else's, and no longer theirs once they aren't one.
  [
    create({ viewLimit: 3, opensTo: 'bob eve' }),
    { ...openNow, asker: 'bob' },
    { ...look, asker: 'eve' },
    look,
    { ...look, kind: 'frame' },
    { ...openNow, asker: 'eve', isRepeat: true },
    { ...look, asker: 'bob' },
    edit({ opensTo: 'bob' }),
    { ...look, kind: 'frame' },
    { ...look, asker: 'eve' },
  ],
].map((whats) => whats.map((what) => ({ what: what as What, at: 0 })));

/** Runs with a new account and deletes its shares afterwards. */
const withAccount = async (work: (account: Account) => Promise<void>): Promise<void> => {
  const account = await newShareAccount(admin);
  try {
    await work(account);
  } finally {
    await account.close();
  }
};

describe('shares under operations in any order', () => {
  it('match the model in views, counts, ends and deletions', async () => {
    const Commands = fc.array(Command, { minLength: 1, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(Commands, (commands) =>
        withAccount(async (account) => {
          for (const { what, at } of commands) {
            pass(1_000);
            await act(account, what, at);
            await account.list();
          }
          await checkTexts(account);
          await checkLists(account);
        }),
      ),
      { numRuns: 25, examples: examples.map((one) => [one]) },
    );
  });
});

const edits = ['title', 'content', 'restore', 'addLink', 'limit', 'password', 'sweep'] as const;
const Batch = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom<Deed>('view', 'slugView', 'open', 'linkView', 'linkOpen'),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Deed>(
        'doubleClick',
        'wrong',
        'head',
        'prefetch',
        'page',
        'report',
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Deed>(...edits),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Deed>('delete', 'takeDown', 'suspend', 'revokeLink', 'otherSlug'),
    },
  ),
  { minLength: 4, maxLength: 16, size: 'max' },
);
/** Operations after which the number of served concurrent views is undetermined. */
const unsettling = new Set<Deed>([
  ...(['limit', 'password', 'delete', 'takeDown', 'suspend', 'revokeLink', 'otherSlug'] as const),
]);
const isView = (deed: Deed) =>
  ['view', 'slugView', 'open', 'doubleClick', 'linkOpen'].includes(deed);

type Crowd = Awaited<ReturnType<typeof newCrowd>>;

const checkBatch = async (crowd: Crowd, batch: readonly Deed[]) => {
  const [before, limit] = [(await crowd.gate())?.views ?? 0, (await crowd.state())?.viewLimit ?? 0];
  const linksBefore = await crowd.linkViews();
  const wasOpen = (await crowd.state())?.status === 'active';
  const wasRevoked = await crowd.isLinkRevoked();
  const done = await crowd.run(batch);
  for (const { deed, answers: responses } of done) {
    for (const { status } of responses)
      expect([deed, answersOf[deed]]).toEqual([deed, expect.arrayContaining([status])]);
  }
  const shown = done
    .filter(({ deed }) => ['view', 'slugView', 'linkView'].includes(deed))
    .flatMap(({ answers: responses }) => responses);
  const seen = shown.filter(({ status }) => status === 200).map(({ body }) => body);
  for (const { content } of seen) expect(crowd.texts).toContain(content);
  expect(new Set(seen.map(({ views }) => views)).size).toBe(seen.length);
  const served = servedOf(done);
  const access = await crowd.gate();
  expect(await crowd.ownCount()).toBe(access ? 1 : 0);
  if (!access) return;
  expect(access.views).toBe(before + served);
  expect(access.recentViewIds.filter((viewId) => viewId !== '-').length).toBe(
    Math.min(40, access.views),
  );
  expect(access.views).toBeLessThanOrEqual(Math.max(...crowd.limits));
  if (wasOpen && !batch.some((deed) => unsettling.has(deed))) {
    const byLimitedLink = batch.filter((deed) => deed === 'linkView').length;
    const possible =
      batch.filter((deed) => isView(deed) && !(deed === 'linkOpen' && wasRevoked)).length +
      Math.min(linkLimit - linksBefore[0], byLimitedLink);
    expect(served).toBe(Math.min(limit - before, possible));
  }
  const links = await crowd.linkViews();
  expect(links[0]).toBeLessThanOrEqual(linkLimit);
  expect(links.map((views, index) => views - (linksBefore[index] ?? 0))).toEqual([
    servedOf(done.filter(({ deed }) => deed === 'linkView')),
    servedOf(done.filter(({ deed }) => deed === 'linkOpen')),
  ]);
};

/** Consumes the remaining views, and checks that the content is purged afterwards. */
const checkEnd = async (crowd: Crowd) => {
  const { id } = crowd;
  const state = await crowd.state();
  const status = state ? 410 : 404;
  const token = state?.status === 'active' ? await crowd.token() : undefined;
  for (let left = state?.viewsLeft ?? 0; left > (token ? 1 : 0); left--) {
    const { status: answered } = await view(id, crowd.password());
    expect(answered).toBe(token ? 200 : 410);
  }
  const closed = [view(id, crowd.password()), page(id), raw(id), frame(id)];
  expect((await Promise.all(closed)).map((one) => one.status)).toEqual(Array(4).fill(status));
  if (token) {
    expect((await crowd.gate())?.views).toBe(state?.viewLimit);
    expect((await raw(id, token)).status).toBe(200);
    pass(60_000);
  }
  for (const one of [page, raw, frame]) expect((await one(id, token)).status).toBe(status);
};

describe('a share under concurrent operations', () => {
  it('is served as often as its limit and counter say, and never after its end', async () => {
    const Start = fc.record({
      viewLimit: fc.constantFrom(1, 3, 8, 20),
      isLarge: fc.boolean(),
      isProtected: fc.constantFrom(true, false, false),
      batches: fc.array(Batch, { minLength: 1, maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(Start, async ({ batches, ...rules }) => {
        const crowd = await newCrowd(admin, rules);
        for (const batch of batches) await checkBatch(crowd, batch);
        await checkEnd(crowd);
      }),
      { numRuns: 10 },
    );
  });
});
