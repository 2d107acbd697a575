import { expect } from 'vitest';
import type { ModelShare } from './model.ts';
import * as shares from './model.ts';
import { revisionsOf } from './requests.ts';

/** How long a former content is kept. ms. See decisions.md#revisions. */
const retentionMs = 30 * 86_400_000;

interface ModelRevision {
  readonly version: number;
  readonly text: string;
  /** ms since 1970. */
  readonly replacedAt: number;
}

/** What the model of revisions needs of the model of shares. */
interface ModelOfShares {
  readonly find: (id: string) => ModelShare | undefined;
  readonly set: (id: string, after: ModelShare) => void;
  /** Returns the status of an update by a moderator. */
  readonly editable: (id: string) => number;
  readonly moderatorToken: () => string;
}

/** Creates the model of revisions. Each operation runs on the service and the model, and checks the response. */
export const newRevisionModel = ({ find, set, editable, moderatorToken }: ModelOfShares) => {
  const known = new Map<string, readonly ModelRevision[]>();

  /** Returns the revisions of a share whose content is still stored, the newest first. */
  const revisionsOfShare = (id: string): readonly ModelRevision[] =>
    find(id)?.isTombstone === false
      ? (known.get(id) ?? []).filter(({ replacedAt }) => replacedAt + retentionMs > Date.now())
      : [];

  /** Notes the content that a change replaces. */
  const change = (before: ModelShare, after: ModelShare): void => {
    set(before.id, after);
    if (after.text === before.text) return;
    const revision = { version: before.version, text: before.text, replacedAt: Date.now() };
    known.set(before.id, [revision, ...(known.get(before.id) ?? [])]);
  };

  const visible = (share: ModelShare | undefined): number => {
    if (!share || shares.readable(share, { shares: [], isSuspended: false }, Date.now()) === 404)
      return 404;
    return share.isTombstone ? 410 : 200;
  };

  /** Compares the list and one of its contents with the model. */
  const check = async (id: string, no: number) => {
    const moderator = revisionsOf({ token: moderatorToken() });
    const { status, body } = await moderator.revisions(id);
    expect(status).toBe(visible(find(id)));
    if (status !== 200) return;
    const expected = revisionsOfShare(id);
    expect(body.items.map(({ version }: ModelRevision) => version)).toEqual(
      expected.map(({ version }) => version),
    );
    const one = expected[no % expected.length];
    if (one) expect((await moderator.revision(id, one.version)).body.content).toBe(one.text);
  };

  const restore = async (id: string, no: number) => {
    const [share, expected] = [find(id), revisionsOfShare(id)];
    const revision = expected[no % expected.length];
    const moderator = revisionsOf({ token: moderatorToken() });
    const { status } = await moderator.restore(id, revision?.version ?? 1_000);
    const allowed = editable(id);
    expect(status).toBe(allowed === 200 && !revision ? 404 : allowed);
    if (status === 200 && share && revision) {
      change(share, shares.edited(share, { text: revision.text }));
    }
  };

  return { change, check, restore, ofShare: revisionsOfShare };
};
