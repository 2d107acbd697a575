import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import type { ShareAccess } from '../../../functions/api/share/record/share.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { pass } from '../run/virtual-time.ts';
import { call } from '../service/call.ts';
import { runJobs, runMinute } from '../service/jobs.ts';
import { login, newUserOf, type Person } from '../users/test-users.ts';
import { type Asker, isOpenToAll, type OpensTo, toRequest } from './audience-model.ts';
import { newLinkModel } from './link-model.ts';
import type { Model, ModelShare } from './model.ts';
import * as shares from './model.ts';
import { newModerationModel } from './moderation-model.ts';
import { newReaderModel } from './reader-model.ts';
import { newReadingModel } from './reading-model.ts';
import { sharesOf } from './requests.ts';
import { newRevisionModel } from './revision-model.ts';
import { newSlugModel } from './slug-model.ts';

const day = 86_400_000;
/** Too large for the table, so it is stored in the bucket. */
const large = randomBytes(20_000).toString('base64');
/** Too large for the record, so it is an item. */
const medium = randomBytes(2_000).toString('base64');

export interface NewShare {
  readonly viewLimit: number | undefined;
  readonly password: string | undefined;
  /** Seconds. */
  readonly expiresIn: number | undefined;
  readonly language: 'html' | 'markdown';
  readonly opensTo: OpensTo;
  readonly isLarge: boolean;
}

/** The fields of an edit; `null` removes a field. */
export interface ShareEdit {
  readonly viewLimit?: number | null;
  readonly password?: string | null;
  readonly expiresIn?: number | null;
  readonly title?: string;
  readonly content?: 'small' | 'large';
  readonly opensTo?: OpensTo;
}

interface Summary extends Pick<ModelShare, 'id' | 'title' | 'views' | 'version'> {
  readonly slug: string | null | undefined;
  readonly viewLimit: number | null | undefined;
  readonly viewsLeft: number | null;
  readonly protected: boolean;
  readonly status?: string;
}

const summaryOf = (shown: Summary) => {
  const { id, slug, title, viewLimit, views, viewsLeft, version, status } = shown;
  const isProtected = shown.protected;
  return { id, slug, title, viewLimit, views, viewsLeft, version, status, protected: isProtected };
};

/** Returns the stored access item of a share. */
export const gateOf = async (id: string) =>
  (await batchGet([shareKeys.access.at({ id })]))[0] as unknown as ShareAccess | undefined;

/**
 * Creates a share owner, two readers and the model of the shares. Each operation runs on the service and the model, and checks
 * the response against the model. An admin performs what the owner cannot do while suspended, and what moderators may.
 */
export const newShareAccount = async (admin: { readonly email: string; token: string }) => {
  admin.token = (await login(admin.email)).body.accessToken;
  const owner = await newUserOf('user');
  const people: Readonly<Record<'bob' | 'eve', Omit<Person, 'token'> & { token: string }>> = {
    bob: await newUserOf('user'),
    eve: await newUserOf('user'),
  };
  let { token } = owner;
  let model: Model = { shares: [], isSuspended: false };
  const known: string[] = [];
  /** Counts password changes per share; a view token stores the count at its creation. */
  const passwordsOf = new Map<string, number>();
  const passwordNo = (id: string): number => passwordsOf.get(id) ?? 0;
  const tokens: Readonly<Record<Exclude<Asker, 'nobody'>, () => string>> = {
    owner: () => token,
    bob: () => people.bob.token,
    eve: () => people.eve.token,
    moderator: () => admin.token,
  };
  let count = 0;

  const set = (id: string, after: ModelShare | undefined) => {
    model = shares.withShare(model, id, after);
  };
  const find = (id: string) => model.shares.find((one) => one.id === id);
  const textOf = (isLarge: boolean) => {
    const isMedium = ++count % 2 === 0;
    return `No. ${count} ${isLarge ? large : isMedium ? medium : ''}`;
  };

  const create = async ({ isLarge, opensTo, ...fields }: NewShare) => {
    const [text, title] = [textOf(isLarge), `Share ${++count}`];
    const now = Date.now();
    const rulesOf = { showsRevisions: true, ...toRequest(opensTo, people) };
    const body = { content: text, title, ...rulesOf, ...fields };
    const { status, body: made } = await call('POST /api/share', { token, body });
    expect(status).toBe(model.isSuspended ? 401 : 201);
    if (status !== 201) return;
    const { expiresIn, ...rules } = fields;
    known.unshift(made.id);
    const share = {
      ...rules,
      opensTo,
      contentNo: 0,
      isRestricted: false,
      reportedNo: undefined,
      id: made.id,
      slug: undefined,
      title,
      text,
      expiresAt: expiresIn && now + expiresIn * 1_000,
      endedAt: undefined,
      views: 0,
      uncounted: 0,
      version: 1,
      reports: 0,
      isTakenDown: false,
      isTombstone: false,
    };
    const isRestricted = shares.requiresToken(share);
    model = { ...model, shares: [{ ...share, isRestricted }, ...model.shares] };
  };

  const reading = newReadingModel({
    find,
    set,
    model: () => model,
    passwordNo,
    token: (asker) => (asker === 'nobody' ? undefined : tokens[asker]()),
  });

  const links = newLinkModel({
    find,
    set,
    expected: (id, offered) =>
      shares.viewable(find(id), model, { now: Date.now(), given: offered }),
    readable: (id) => (model.isSuspended ? 401 : shares.readable(find(id), model, Date.now())),
    token: () => token,
  });

  /** Returns the token of who changes a share: a moderator, or the owner of one that isn’t open to all. */
  const editorToken = (id: string) => {
    const share = find(id);
    return share && !isOpenToAll(share) ? token : admin.token;
  };

  /** Returns the status of a request of the editor about a share that is still stored. */
  const reachable = (share: ModelShare | undefined) => {
    if (!share) return 404;
    return model.isSuspended && !isOpenToAll(share) ? 401 : 200;
  };

  /** Returns the status of an update by the editor. */
  const editable = (id: string) => {
    const share = find(id);
    const reached = reachable(share);
    if (!share || reached !== 200) return reached;
    const state = shares.statusOf(share, model, Date.now());
    return state === 'active' || state === 'suspended' ? 200 : 410;
  };

  const slugs = newSlugModel(`of-user-${owner.id}`, {
    all: () => model.shares,
    set,
    editable,
    view: (id, slug, asker) => reading.view(id, { given: 'right', method: 'GET', asker }, slug),
    editorToken,
    moderatorToken: () => admin.token,
  });

  const revisions = newRevisionModel({
    find,
    set,
    editable,
    reachable,
    editorToken,
    isSuspended: () => model.isSuspended,
  });

  const moderation = newModerationModel({ find, set, admin });

  const readerLists = newReaderModel({
    model: () => model,
    people,
    token: () => token,
    timesOpened: reading.timesOpened,
  });

  const edit = async (id: string, change: ShareEdit) => {
    const share = find(id);
    const now = Date.now();
    const content = change.content && textOf(change.content === 'large');
    const { opensTo, ...others } = change;
    const body = {
      ...others,
      ...(content && { content }),
      ...(opensTo && toRequest(opensTo, people)),
    };
    const { status } = await call('PUT /api/share/{id}', {
      token: editorToken(id),
      params: { id },
      body,
    });
    const isReached = share !== undefined && shares.isReached(share, change.viewLimit);
    const allowed = editable(id);
    expect(status).toBe(allowed === 200 && isReached ? 400 : allowed);
    if (status !== 200 || !share) return;
    const rules = Object.fromEntries(
      Object.entries(change).map(([name, value]) => {
        if (name === 'content') return ['text', content];
        if (name !== 'expiresIn') return [name, value ?? undefined];
        return ['expiresAt', value === null ? undefined : now + Number(value) * 1_000];
      }),
    );
    const isOther = change.password !== undefined && change.password !== share.password;
    if (isOther) passwordsOf.set(id, passwordNo(id) + 1);
    revisions.change(share, shares.edited(share, rules));
  };

  const remove = async (id: string) => {
    const { status } = await call('DELETE /api/share/{id}', {
      token: editorToken(id),
      params: { id },
    });
    expect(status).toBe(reachable(find(id)));
    if (status === 200) set(id, undefined);
    slugs.settle();
  };

  const setStatus = async (isSuspended: boolean) => {
    const { status } = await call('PUT /api/users/{id}', {
      token: admin.token,
      params: { id: String(owner.id) },
      body: { status: isSuspended ? 'suspended' : 'active' },
    });
    expect(status).toBe(200);
    if (model.isSuspended && !isSuspended) token = (await login(owner.email)).body.accessToken;
    model = { ...model, isSuspended };
  };

  const sweep = async () => {
    // Page views are counted asynchronously: some may be lost, but none is added.
    await runJobs();
    for (const share of model.shares.filter(({ uncounted }) => uncounted > 0)) {
      const views = (await gateOf(share.id))?.views ?? 0;
      expect(views).toBeGreaterThanOrEqual(share.views);
      expect(views).toBeLessThanOrEqual(share.views + share.uncounted);
      set(share.id, { ...share, views, uncounted: 0 });
    }
    // The items of an ended share may be deleted a minute later.
    await runMinute();
    pass(1);
    await runMinute();
    // What it has sent, while time stands still: a message is kept for days.
    await runJobs();
    const now = Date.now();
    model = { ...model, shares: model.shares.flatMap((share) => shares.swept(share, now)) };
    slugs.settle();
  };

  const wait = async (ms: number) => {
    // Counts pending page views before time passes.
    await sweep();
    pass(ms);
    if (ms < day) return;
    for (const one of [admin, people.bob, people.eve]) {
      one.token = (await login(one.email)).body.accessToken;
    }
    if (!model.isSuspended) token = (await login(owner.email)).body.accessToken;
  };

  /** Checks the owner's list against the model. */
  const list = async () => {
    const query = { mine: 'true', pageSize: '100' };
    const { status, body } = await call('GET /api/share', { token, query });
    expect(status).toBe(model.isSuspended ? 401 : 200);
    if (status !== 200) return;
    const now = Date.now();
    expect(body.total).toBe(model.shares.length);
    expect(body.items.map(summaryOf)).toEqual(
      model.shares.map((share) => ({
        ...summaryOf({
          ...share,
          viewsLeft:
            share.viewLimit === undefined ? null : Math.max(0, share.viewLimit - share.views),
          protected: share.password !== undefined,
        }),
        slug: share.slug ?? null,
        viewLimit: share.viewLimit ?? null,
        status: shares.statusOf(share, model, now),
      })),
    );
  };

  /** Deletes all shares. */
  const close = async () => {
    await setStatus(false);
    for (const id of known) await sharesOf({ token }).remove(id);
  };

  return {
    shares: () => model.shares,
    /** All shares that were ever created, newest first. */
    ids: (): readonly string[] => known,
    idAt: (at: number) => known[at % known.length],
    ...reading,
    ...{ ...moderation, ...readerLists, links, slugs, revisions },
    ...{ create, edit, remove, setStatus, sweep, wait, list, close },
  };
};
