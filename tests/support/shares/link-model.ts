import { expect } from 'vitest';
import { maxLinks } from '../../../functions/api/share/record/links.ts';
import type { ModelShare } from './model.ts';
import * as shares from './model.ts';
import { linksOf } from './requests.ts';
import { view as viewBy } from './shares.ts';

interface ModelLink {
  readonly id: string;
  readonly viewLimit: number | undefined;
  readonly expiresAt: number | undefined;
  readonly views: number;
  readonly isRevoked: boolean;
}

/** What the model of links needs of the model of shares. */
interface ModelOfShares {
  readonly find: (id: string) => ModelShare | undefined;
  readonly set: (id: string, after: ModelShare) => void;
  /** Returns the status of a view with a password. */
  readonly expected: (id: string, password: string | undefined) => number;
  /** Returns the status of a request of the owner about an open share. */
  readonly readable: (id: string) => number;
  readonly token: () => string;
}

const isOpen = ({ viewLimit, expiresAt, views, isRevoked }: ModelLink): boolean =>
  !isRevoked && views < (viewLimit ?? Infinity) && (expiresAt ?? Infinity) > Date.now();

/** Creates the model of the links of shares. Each operation runs on the service and the model, and checks the response. */
export const newLinkModel = ({ find, set, expected, readable, token }: ModelOfShares) => {
  const known = new Map<string, readonly ModelLink[]>();
  const linksOfShare = (id: string) => known.get(id) ?? [];
  const at = (id: string, no: number) => linksOfShare(id)[no % linksOfShare(id).length];
  const replace = (id: string, after: ModelLink) =>
    known.set(
      id,
      linksOfShare(id).map((link) => (link.id === after.id ? after : link)),
    );

  /** Compares the owner's list with the model. */
  const check = async (id: string) => {
    const { status, body } = await linksOf({ token: token() }).links(id);
    if (status !== 200) return;
    expect(body.items.map((link: ModelLink) => [link.id, link.views])).toEqual(
      linksOfShare(id).map((link) => [link.id, link.views]),
    );
  };

  const add = async (
    id: string,
    rules: { readonly viewLimit: number | undefined; readonly expiresIn: number | undefined },
  ) => {
    const { viewLimit, expiresIn } = rules;
    const before = linksOfShare(id);
    const now = Date.now();
    const { status, body } = await linksOf({ token: token() }).addLink(id, {
      label: `Link ${before.length + 1}`,
      ...rules,
    });
    const open = readable(id);
    expect(status).toBe(open === 200 ? (before.length < maxLinks ? 201 : 409) : open);
    if (status !== 201) return;
    const expiresAt = expiresIn === undefined ? undefined : now + expiresIn * 1_000;
    known.set(id, [...before, { id: body.id, viewLimit, expiresAt, views: 0, isRevoked: false }]);
  };

  const view = async (id: string, no: number) => {
    const [share, link] = [find(id), at(id, no)];
    if (!link) return;
    const password = share?.password;
    const ofShare = expected(id, password);
    const { status, body } = await viewBy(link.id, password);
    expect(status).toBe(ofShare === 200 && !isOpen(link) ? 410 : ofShare);
    if (status !== 200 || !share) return;
    const after = shares.viewed(share, Date.now());
    expect(body).toMatchObject({ content: share.text, views: after.views });
    set(id, after);
    replace(id, { ...link, views: link.views + 1 });
    await check(id);
  };

  const revoke = async (id: string, no: number) => {
    const link = at(id, no);
    if (!link) return;
    const { status } = await linksOf({ token: token() }).revokeLink(id, link.id);
    if (status !== 200) return expect([401, 404]).toContain(status);
    replace(id, { ...link, isRevoked: true });
    await check(id);
  };

  return { add, view, revoke };
};
