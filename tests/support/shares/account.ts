import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import type { ShareAccess } from '../../../functions/api/share/record/share.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { pass } from '../run/virtual-time.ts';
import { type Answer, call } from '../service/call.ts';
import { runJobs, runMinute } from '../service/jobs.ts';
import { login, newUserOf } from '../users/test-users.ts';
import { newLinkModel } from './link-model.ts';
import type { Model, ModelShare } from './model.ts';
import * as shares from './model.ts';
import { newRevisionModel } from './revision-model.ts';
import { frame, open, page, raw, tokenIn, view } from './shares.ts';
import { newSlugModel } from './slug-model.ts';

const day = 86_400_000;
/** A form submitted again within this many spans is the same view. */
const spanMs = 10_000;
const sameViewSpans = 6;
export const passwords = ['Abc123', 'Def456'] as const;
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
  readonly isLarge: boolean;
}

/** The fields of an edit; `null` removes a field. */
export interface ShareEdit {
  readonly viewLimit?: number | null;
  readonly password?: string | null;
  readonly expiresIn?: number | null;
  readonly title?: string;
  readonly content?: 'small' | 'large';
}

/** The password that a reader sends. */
export type Given = 'right' | 'wrong' | 'none';

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
 * Creates a share owner, the model of the shares, and the view tokens and form names of readers. Each operation runs
 * on the service and the model, and checks the response against the model. An admin performs what the owner cannot do
 * while suspended.
 */
export const newShareAccount = async (admin: { readonly email: string; token: string }) => {
  admin.token = (await login(admin.email)).body.accessToken;
  const owner = await newUserOf('user');
  let { token } = owner;
  let model: Model = { shares: [], isSuspended: false };
  const known: string[] = [];
  /** Counts password changes per share; a view token stores the count at its creation. */
  const passwordsOf = new Map<string, number>();
  const passwordNo = (id: string): number => passwordsOf.get(id) ?? 0;
  const tokens = new Map<
    string,
    { readonly token: string; readonly takenAt: number; readonly named: number | undefined }
  >();
  const claims = new Map<string, { readonly name: string; readonly span: number }>();
  let count = 0;

  const set = (id: string, after: ModelShare | undefined) => {
    model = shares.withShare(model, id, after);
  };
  const find = (id: string) => model.shares.find((one) => one.id === id);
  const passwordFor = (given: Given, share: ModelShare | undefined) => {
    if (given === 'none') return undefined;
    const right = share?.password ?? passwords[0];
    return given === 'right' ? right : passwords.find((one) => one !== right);
  };
  const textOf = (isLarge: boolean) => {
    const isMedium = ++count % 2 === 0;
    return `No. ${count} ${isLarge ? large : isMedium ? medium : ''}`;
  };

  const create = async ({ isLarge, ...fields }: NewShare) => {
    const [text, title] = [textOf(isLarge), `Share ${++count}`];
    const now = Date.now();
    const body = { content: text, title, ...fields };
    const { status, body: made } = await call('POST /api/share', { token, body });
    expect(status).toBe(model.isSuspended ? 401 : 201);
    if (status !== 201) return;
    const { expiresIn, ...rules } = fields;
    known.unshift(made.id);
    const share = {
      ...rules,
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
    model = { ...model, shares: [share, ...model.shares] };
  };

  const viewIt = async (id: string, given: Given, method: string, address = id) => {
    const share = find(id);
    const offered = passwordFor(given, share);
    const expected = shares.viewable(share, model, { now: Date.now(), given: offered });
    const { status, body } = await view(address, offered, method);
    expect(status).toBe(expected);
    if (method === 'HEAD' || status !== 200 || !share) return;
    const after = shares.viewed(share, Date.now());
    expect(body).toMatchObject({ content: share.text, views: after.views, title: share.title });
    set(id, after);
  };

  const openIt = async (id: string, given: Given, isRepeat: boolean) => {
    const share = find(id);
    const offered = passwordFor(given, share);
    const span = Math.floor(Date.now() / spanMs);
    const last = claims.get(id);
    // A repeated submission only checks the share and its owner.
    const isOwned = share !== undefined && !model.isSuspended;
    const isSameView = last !== undefined && span - last.span <= sameViewSpans;
    const isKnown = isRepeat && isSameView && isOwned;
    const name = isRepeat && last ? last.name : `claim ${++count}`;
    const fields = { claim: name, ...(offered !== undefined && { password: offered }) };
    const response = await open(id, fields);
    const expected = shares.viewable(share, model, { now: Date.now(), given: offered });
    expect(response.status).toBe(isKnown || expected === 200 ? 303 : expected);
    if (response.status !== 303 || !share) return;
    const isRight = share.password !== undefined && offered === share.password;
    const named = isRight ? passwordNo(id) : undefined;
    tokens.set(id, { token: tokenIn(response) ?? '', takenAt: Date.now(), named });
    if (isKnown) return;
    claims.set(id, { name, span });
    set(id, shares.viewed(share, Date.now()));
  };

  /** Maps the status of a page to the model: a page with the open form counts as 401. */
  const seenAs = (kind: string, { status, body }: Answer, share: ModelShare | undefined) => {
    if (kind === 'page' && status === 200 && String(body).includes(`action="/s/${share?.id}/open"`))
      return 401;
    return status;
  };

  const lookAt = async (id: string, kind: 'page' | 'raw' | 'frame', isWithToken: boolean) => {
    const share = find(id);
    const held = isWithToken ? tokens.get(id) : undefined;
    const response = await { page, raw, frame }[kind](id, held?.token);
    const expected = shares.readableWithView(share, model, {
      now: Date.now(),
      takenAt:
        share?.password === undefined || held?.named === passwordNo(id) ? held?.takenAt : undefined,
    });
    // The frame returns 404 instead of asking for a view, and for Markdown, which has none.
    const isFramed = share?.language === 'html';
    const isHidden = kind === 'frame' && (expected === 401 || (expected === 200 && !isFramed));
    expect(seenAs(kind, response, share)).toBe(isHidden ? 404 : expected);
    if (expected !== 200 || isHidden || !share) return;
    const text = String(response.body);
    if (kind === 'raw') expect(text).toBe(share.text);
    // The frame script precedes the content.
    else if (kind === 'frame') expect(text.endsWith(share.text)).toBe(true);
    else if (share.language === 'markdown') expect(text).toContain(share.text.trim());
    else expect(text).toContain(`src="https://snippets.test/${id}`);
    const isCounted = kind !== 'frame' && !shares.requiresView(share);
    if (isCounted) set(id, { ...share, uncounted: share.uncounted + 1 });
  };

  const links = newLinkModel({
    find,
    set,
    expected: (id, offered) =>
      shares.viewable(find(id), model, { now: Date.now(), given: offered }),
    readable: (id) => (model.isSuspended ? 401 : shares.readable(find(id), model, Date.now())),
    token: () => token,
  });

  /** Returns the status of an update by a moderator. */
  const editable = (id: string) => {
    const share = find(id);
    if (!share) return 404;
    const state = shares.statusOf(share, model, Date.now());
    return state === 'active' || state === 'suspended' ? 200 : 410;
  };

  const slugs = newSlugModel(`of-user-${owner.id}`, {
    all: () => model.shares,
    set,
    editable,
    view: (id, slug) => viewIt(id, 'right', 'GET', slug),
    moderatorToken: () => admin.token,
  });

  const revisions = newRevisionModel({
    find,
    set,
    editable,
    moderatorToken: () => admin.token,
  });

  const edit = async (id: string, change: ShareEdit) => {
    const share = find(id);
    const now = Date.now();
    const content = change.content && textOf(change.content === 'large');
    const body = { ...change, ...(content && { content }) };
    const { status } = await call('PUT /api/share/{id}', {
      token: admin.token,
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

  const report = async (id: string) => {
    const share = find(id);
    const body = { reason: 'Not for here' };
    const { status } = await call('POST /api/share/{id}/report', { params: { id }, body });
    const expected = shares.readable(share, model, Date.now());
    expect(status).toBe(expected === 200 ? 201 : expected);
    if (status === 201 && share) set(id, { ...share, reports: share.reports + 1 });
  };

  const decide = async (id: string, isTakenDown: boolean) => {
    const share = find(id);
    const { status } = await call('PUT /api/shares/{id}/decision', {
      token: admin.token,
      params: { id },
      body: { decision: isTakenDown ? 'take-down' : 'keep' },
    });
    expect(status).toBe(share ? 200 : 404);
    if (share) set(id, { ...share, isTakenDown, reports: 0, version: share.version + 1 });
  };

  const remove = async (id: string) => {
    const { status } = await call('DELETE /api/share/{id}', {
      token: admin.token,
      params: { id },
    });
    expect(status).toBe(find(id) ? 200 : 404);
    set(id, undefined);
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
    const now = Date.now();
    model = { ...model, shares: model.shares.flatMap((share) => shares.swept(share, now)) };
    slugs.settle();
  };

  const wait = async (ms: number) => {
    // Counts pending page views before time passes.
    await sweep();
    pass(ms);
    if (ms < day) return;
    admin.token = (await login(admin.email)).body.accessToken;
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

  return {
    shares: () => model.shares,
    /** All shares that were ever created, newest first. */
    ids: (): readonly string[] => known,
    idAt: (at: number) => known[at % known.length],
    ...{ create, view: viewIt, open: openIt, lookAt, edit, report, decide, remove, setStatus },
    ...{ sweep, wait, list, links, slugs, revisions },
  };
};
