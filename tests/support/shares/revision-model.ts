import { expect } from 'vitest';
import { refusal } from './audience-model.ts';
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
  readonly isRestricted: boolean;
}

/** What the model of revisions needs of the model of shares. */
interface ModelOfShares {
  readonly find: (id: string) => ModelShare | undefined;
  readonly set: (id: string, after: ModelShare) => void;
  /** Returns the status of an update by the editor. */
  readonly editable: (id: string) => number;
  /** Returns the status of any request of the editor. */
  readonly reachable: (share: ModelShare | undefined) => number;
  readonly editorToken: (id: string) => string;
  readonly isSuspended: () => boolean;
}

/** Creates the model of revisions. Each operation runs on the service and the model, and checks the response. */
export const newRevisionModel = ({
  find,
  set,
  editable,
  reachable,
  editorToken,
  isSuspended,
}: ModelOfShares) => {
  const known = new Map<string, readonly ModelRevision[]>();

  /** Returns the revisions of a share whose content is still stored, the newest first. */
  const revisionsOfShare = (id: string): readonly ModelRevision[] =>
    find(id)?.isTombstone === false
      ? (known.get(id) ?? []).filter(({ replacedAt }) => replacedAt + retentionMs > Date.now())
      : [];

  /** Applies a change, and notes the content that it replaces. */
  const change = (before: ModelShare, after: ModelShare): void => {
    const isKept = after.text === before.text;
    set(before.id, {
      ...after,
      contentNo: before.contentNo + (isKept ? 0 : 1),
      isRestricted: shares.requiresToken(after) || (isKept && before.isRestricted),
    });
    if (isKept) return;
    const { version, text, isRestricted } = before;
    const revision = { version, text, isRestricted, replacedAt: Date.now() };
    known.set(before.id, [revision, ...(known.get(before.id) ?? [])]);
  };

  const visible = (share: ModelShare | undefined): number => {
    if (!share || shares.readable(share, { shares: [], isSuspended: false }, Date.now()) === 404)
      return 404;
    const reached = reachable(share);
    return reached === 200 && share.isTombstone ? 410 : reached;
  };

  /** Returns the status of the list for those who are signed out. */
  const visibleToReaders = (share: ModelShare | undefined): number => {
    const refused = refusal(share, 'nobody');
    if (refused || !share) return refused ?? 404;
    const status = shares.readable(share, { shares: [], isSuspended: isSuspended() }, Date.now());
    return status === 200 && shares.requiresToken(share) ? 404 : status;
  };

  /** Compares what readers get with the model: no content that ever took a view, or was for fewer than all. */
  const checkForReaders = async (id: string) => {
    const { status, body } = await revisionsOf().revisions(id);
    expect(status).toBe(visibleToReaders(find(id)));
    if (status !== 200) return;
    const shown = body.items.map(({ version }: ModelRevision) => version);
    for (const { version, isRestricted } of revisionsOfShare(id)) {
      expect(shown.includes(version)).toBe(!isRestricted);
      const { status: answered } = await revisionsOf().revision(id, version);
      expect(answered).toBe(isRestricted ? 404 : 200);
    }
  };

  /** Compares the list and one of its contents with the model. */
  const check = async (id: string, no: number) => {
    await checkForReaders(id);
    const editor = revisionsOf({ token: editorToken(id) });
    const { status, body } = await editor.revisions(id);
    expect(status).toBe(visible(find(id)));
    if (status !== 200) return;
    const expected = revisionsOfShare(id);
    expect(body.items.map(({ version }: ModelRevision) => version)).toEqual(
      expected.map(({ version }) => version),
    );
    const one = expected[no % expected.length];
    if (one) expect((await editor.revision(id, one.version)).body.content).toBe(one.text);
  };

  const restore = async (id: string, no: number) => {
    const [share, expected] = [find(id), revisionsOfShare(id)];
    const revision = expected[no % expected.length];
    const editor = revisionsOf({ token: editorToken(id) });
    const { status } = await editor.restore(id, revision?.version ?? 1_000);
    const allowed = editable(id);
    expect(status).toBe(allowed === 200 && !revision ? 404 : allowed);
    if (status === 200 && share && revision) {
      change(share, shares.edited(share, { text: revision.text }));
    }
  };

  return { change, check, restore, ofShare: revisionsOfShare };
};
