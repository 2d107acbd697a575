import { expect } from 'vitest';
import { isOpenToAll } from './audience-model.ts';
import type { ModelShare } from './model.ts';
import { sharesOf } from './requests.ts';

/** What the model of moderation needs of the model of shares. */
interface ModelOfShares {
  readonly find: (id: string) => ModelShare | undefined;
  readonly set: (id: string, after: ModelShare) => void;
  readonly admin: { readonly token: string };
}

/** Creates the model of moderators. Each operation runs on the service and the model, and checks the response. */
export const newModerationModel = ({ find, set, admin }: ModelOfShares) => {
  const decide = async (id: string, isTakenDown: boolean): Promise<void> => {
    const share = find(id);
    const { status } = await sharesOf(admin).decide(id, isTakenDown ? 'take-down' : 'keep');
    expect(status).toBe(share ? 200 : 404);
    if (!share) return;
    const reportedNo = isTakenDown ? share.reportedNo : undefined;
    set(id, { ...share, isTakenDown, reports: 0, reportedNo, version: share.version + 1 });
  };

  /** Looks at a share: of one that isn't open to all at what was reported. It can't be changed. */
  const moderate = async (id: string): Promise<void> => {
    const share = find(id);
    const theirs = sharesOf(admin);
    const { status, body } = await theirs.manage(id);
    expect(status).toBe(share ? 200 : 404);
    if (!share) return;
    const isShown = isOpenToAll(share) || share.reportedNo === share.contentNo;
    expect(body.data.content).toBe(isShown && !share.isTombstone ? share.text : null);
    if (isOpenToAll(share)) return;
    expect(body.data.readers).toEqual([]);
    const refused = [await theirs.put(id, { title: 'Mine' }), await theirs.remove(id)];
    expect(refused.map((one) => one.status)).toEqual([403, 403]);
  };

  return { decide, moderate };
};
