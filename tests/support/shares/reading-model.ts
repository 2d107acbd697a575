import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import { form } from '../service/form.ts';
import { type Asker, isOpenToAll, refusal } from './audience-model.ts';
import type { Model, ModelShare, ViewToken } from './model.ts';
import * as shares from './model.ts';
import { frame, tokenIn } from './shares.ts';

/** A form submitted again within this many spans is the same view. ms. */
const spanMs = 10_000;
const sameViewSpans = 6;
export const passwords = ['Abc123', 'Def456'] as const;

/** The password that a reader sends. */
export type Given = 'right' | 'wrong' | 'none';

/** The ways to the page of a share. */
export type Look = 'page' | 'raw' | 'frame';

/** What the model of readers needs of the model of shares. */
interface ModelOfShares {
  readonly find: (id: string) => ModelShare | undefined;
  readonly set: (id: string, after: ModelShare) => void;
  readonly model: () => Model;
  /** Returns how often the password of a share was changed. */
  readonly passwordNo: (id: string) => number;
  readonly token: (asker: Asker) => string | undefined;
}

interface Claim {
  readonly name: string;
  readonly span: number;
  readonly contentNo: number;
  /** Who sent it, if the share wasn't open to all. */
  readonly reader: Asker | undefined;
}

/**
 * Creates the model of those who read shares, with their view tokens and form names. Each operation runs on the service and the
 * model, and checks the response.
 */
export const newReadingModel = ({ find, set, model, passwordNo, token }: ModelOfShares) => {
  const tokens = new Map<string, ViewToken>();
  const claims = new Map<string, Claim>();
  /** How often each user opened a share while it was not open to all, by share and user. */
  const receipts = new Map<string, number>();
  let count = 0;

  /** A suspended owner is signed out. */
  const asSignedIn = (asker: Asker): Asker =>
    asker === 'owner' && model().isSuspended ? 'nobody' : asker;
  const passwordFor = (given: Given, share: ModelShare | undefined) => {
    if (given === 'none') return undefined;
    const right = share?.password ?? passwords[0];
    return given === 'right' ? right : passwords.find((one) => one !== right);
  };
  /** Returns whom a token or a form is of: anyone where a share is open to all. */
  const readerOf = (share: ModelShare, by: Asker) => (isOpenToAll(share) ? undefined : by);
  const noteReceipt = (share: ModelShare, asker: Asker) => {
    if (isOpenToAll(share) || asker === 'owner' || asker === 'nobody') return;
    const key = `${share.id} ${asker}`;
    receipts.set(key, (receipts.get(key) ?? 0) + 1);
  };

  /** Views a share by the API, at its id or at a name. */
  const view = async (
    id: string,
    {
      given,
      method,
      asker,
    }: { readonly given: Given; readonly method: string; readonly asker: Asker },
    address = id,
  ): Promise<void> => {
    const share = find(id);
    const offered = passwordFor(given, share);
    const by = asSignedIn(asker);
    const allowed = shares.viewable(share, model(), { now: Date.now(), given: offered });
    const { status, body } = await call(`${method} /api/share`, {
      query: { id: address },
      token: token(asker),
      ...(offered !== undefined && { headers: { 'x-share-password': offered } }),
    });
    expect(status).toBe(refusal(share, by, address !== id) ?? allowed);
    if (method === 'HEAD' || status !== 200 || !share) return;
    const after = shares.viewed(share, Date.now());
    expect(body).toMatchObject({ content: share.text, views: after.views, title: share.title });
    set(id, after);
    noteReceipt(share, by);
  };

  /** Returns the expected status of a form; `isKnown` says whether it was submitted before. */
  const openable = (
    share: ModelShare | undefined,
    by: Asker,
    { isKnown, offered }: { readonly isKnown: boolean; readonly offered: string | undefined },
  ): number => {
    const refused = refusal(share, by);
    if (refused || !share) return refused ?? 404;
    const now = Date.now();
    if (by === 'owner') return shares.readable(share, model(), now);
    if (!(isKnown && shares.isStillReadable(share, model(), now))) {
      return shares.viewable(share, model(), { now, given: offered });
    }
    return share.password === undefined || share.password === offered ? 200 : 401;
  };

  /** Opens a share by the form of its page. */
  const open = async (id: string, given: Given, isRepeat: boolean, asker: Asker): Promise<void> => {
    const share = find(id);
    const offered = passwordFor(given, share);
    const by = asSignedIn(asker);
    const span = Math.floor(Date.now() / spanMs);
    const last = claims.get(id);
    const reader = share && readerOf(share, by);
    const isKnown =
      isRepeat &&
      last?.contentNo === share?.contentNo &&
      last?.reader === reader &&
      span - (last?.span ?? 0) <= sameViewSpans;
    const name = isRepeat && last ? last.name : `claim ${++count}`;
    const fields = { claim: name, ...(offered !== undefined && { password: offered }) };
    const expected = openable(share, by, { isKnown, offered });
    const response = await call('POST /s/{id}/open', {
      params: { id },
      token: token(asker),
      ...form(fields),
    });
    expect(response.status).toBe(expected === 200 ? 303 : expected);
    if (response.status !== 303 || !share) return;
    if (by === 'owner') return expect(tokenIn(response)).toBe(undefined);
    keepToken(share, by, tokenIn(response));
    if (isKnown) return;
    claims.set(id, { name, span, contentNo: share.contentNo, reader });
    set(id, shares.viewed(share, Date.now()));
    noteReceipt(share, by);
  };

  const keepToken = (share: ModelShare, by: Asker, text: string | undefined) =>
    tokens.set(share.id, {
      token: text ?? '',
      takenAt: Date.now(),
      contentNo: share.contentNo,
      passwordNo: share.password === undefined ? undefined : passwordNo(share.id),
      reader: readerOf(share, by),
    });

  /** Maps the status of a page to the model: a page with the open form counts as 401. */
  const seenAs = (kind: Look, { status, body }: Answer, id: string) =>
    kind === 'page' && status === 200 && String(body).includes(`action="/s/${id}/open"`)
      ? 401
      : status;

  const send = (kind: Look, id: string, asker: Asker, held: string | undefined) => {
    if (kind === 'frame') return frame(id, held);
    const query = held === undefined ? {} : { query: { view: held } };
    const endpoint = kind === 'page' ? 'GET /s/{id}' : 'GET /s/{id}/raw';
    return call(endpoint, { params: { id }, token: token(asker), ...query });
  };

  const checkShown = (kind: Look, share: ModelShare, text: string, isVeiled: boolean) => {
    if (isVeiled) expect(text).not.toContain(share.text.trim());
    else if (kind === 'raw') expect(text).toBe(share.text);
    // The frame script precedes the content.
    else if (kind === 'frame') expect(text.endsWith(share.text)).toBe(true);
    else if (share.language === 'markdown') expect(text).toContain(share.text.trim());
    else expect(text).toContain(`src="https://snippets.test/${share.id}`);
  };

  /** Looks at the page of a share, its source or its frame, which has no session. */
  const lookAt = async (
    id: string,
    {
      kind,
      isWithToken,
      asker,
    }: { readonly kind: Look; readonly isWithToken: boolean; readonly asker: Asker },
  ): Promise<void> => {
    const share = find(id);
    const now = Date.now();
    const isFrame = kind === 'frame';
    const held = isWithToken ? tokens.get(id) : undefined;
    const current = { now, currentNo: passwordNo(id) };
    const valid = held && share && shares.isValid(held, share, current) ? held : undefined;
    const by = isFrame
      ? (share && !isOpenToAll(share) && valid?.reader) || 'nobody'
      : asSignedIn(asker);
    const expected = shares.look(share, model(), { now, asker: by, isFrame, valid });
    const response = await send(kind, id, asker, held?.token);
    // The frame returns 404 instead of asking for a view, and for Markdown, which has none.
    const isRefused = refusal(share, by) !== undefined;
    const asks = expected.status === 401 && !isRefused;
    const isFramed = share?.language === 'html';
    const isHidden = isFrame && (asks || (expected.status === 200 && !isFramed));
    expect(seenAs(kind, response, id)).toBe(isHidden ? 404 : expected.status);
    if (expected.status !== 200 || isHidden || !share) {
      for (const text of [share?.text ?? '', share?.title ?? '']) {
        if (isRefused && text !== '') expect(String(response.body)).not.toContain(text);
      }
      return;
    }
    const isVeiled =
      kind === 'page' && expected.by === 'owner' && share.viewLimit === share.views + 1;
    checkShown(kind, share, String(response.body), isVeiled);
    if (expected.by === 'view') return;
    const [, ofFrame] = /snippets\.test\/[\w-]+\?view=([^"&]+)/.exec(String(response.body)) ?? [];
    const isWithFrame = kind === 'page' && isFramed && !isVeiled && shares.requiresToken(share);
    expect(ofFrame !== undefined).toBe(isWithFrame);
    if (isWithFrame) keepToken(share, by, ofFrame);
    if (isFrame || expected.by === 'owner') return;
    set(id, { ...share, uncounted: share.uncounted + 1 });
    noteReceipt(share, by);
  };

  const report = async (id: string, asker: Asker): Promise<void> => {
    const share = find(id);
    const by = asSignedIn(asker);
    const body = { reason: 'Not for here' };
    const options = { params: { id }, token: token(asker), body };
    const { status } = await call('POST /api/share/{id}/report', options);
    const expected = refusal(share, by) ?? shares.readable(share, model(), Date.now());
    expect(status).toBe(expected === 200 ? 201 : expected);
    if (status !== 201 || !share) return;
    // Moderators see what others report.
    const isSeen = !isOpenToAll(share) && by !== 'owner' && by !== 'moderator';
    const reportedNo = isSeen ? share.contentNo : share.reportedNo;
    set(id, { ...share, reports: share.reports + 1, reportedNo });
  };

  return {
    ...{ view, open, lookAt, report },
    /** Returns how often a user opened a share while it was not open to all. */
    timesOpened: (id: string, asker: Asker): number => receipts.get(`${id} ${asker}`) ?? 0,
  };
};
