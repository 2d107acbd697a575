import { expect } from 'vitest';
import { call } from '../service/call.ts';
import type { Asker } from './audience-model.ts';
import type { ModelShare } from './model.ts';
import * as shares from './model.ts';
import { view } from './shares.ts';

/** How long only the last owner can take a released slug again. ms. See decisions.md#slugs. */
const retentionMs = 90 * 86_400_000;

type Person = 'owner' | 'rival';

/** What the model of slugs needs of the model of shares. */
interface ModelOfShares {
  readonly all: () => readonly ModelShare[];
  readonly set: (id: string, after: ModelShare) => void;
  /** Returns the status of an update of a share. */
  readonly editable: (id: string) => number;
  readonly view: (id: string, slug: string, asker: Asker) => Promise<void>;
  /** Returns the token of who updates a share. */
  readonly editorToken: (id: string) => string;
  /** A moderator, who is the owner's rival for slugs. */
  readonly moderatorToken: () => string;
}

/** Creates the model of slugs. Each operation runs on the service and the model, and checks the response. */
export const newSlugModel = (
  prefix: string,
  { all, set, editable, view: viewShare, editorToken, moderatorToken }: ModelOfShares,
) => {
  const released = new Map<string, { readonly at: number; readonly by: Person }>();
  let held: ReadonlySet<string> = new Set();
  const slugOf = (no: number) => `${prefix}-${no}`;
  const holderOf = (slug: string) => all().find((share) => share.slug === slug);

  /** Notes which slugs were released just now. */
  const settle = () => {
    const after = new Set(all().flatMap(({ slug }) => slug ?? []));
    for (const slug of held) {
      if (!after.has(slug)) released.set(slug, { at: Date.now(), by: 'owner' });
    }
    for (const slug of after) released.delete(slug);
    held = after;
  };

  const isFreeFor = (slug: string, person: Person): boolean => {
    const last = released.get(slug);
    if (holderOf(slug)) return false;
    return !last || last.by === person || last.at + retentionMs <= Date.now();
  };

  /** Gives a share a slug, or takes it away. */
  const change = async (id: string, no: number | undefined) => {
    const slug = no === undefined ? undefined : slugOf(no);
    const share = all().find((one) => one.id === id);
    const { status } = await call('PUT /api/share/{id}', {
      token: editorToken(id),
      params: { id },
      body: { slug: slug ?? null },
    });
    const isFree = slug === undefined || slug === share?.slug || isFreeFor(slug, 'owner');
    const allowed = editable(id);
    expect(status).toBe(allowed === 200 && !isFree ? 409 : allowed);
    if (status === 200 && share) set(id, shares.edited(share, { slug }));
    settle();
  };

  /** Views the share with a slug. */
  const viewBySlug = async (no: number, asker: Asker) => {
    const slug = slugOf(no);
    const holder = holderOf(slug);
    if (holder) return viewShare(holder.id, slug, asker);
    expect((await view(slug)).status).toBe(404);
  };

  /** The rival takes a slug and releases it again. */
  const compete = async (no: number) => {
    const slug = slugOf(no);
    const token = moderatorToken();
    const { status, body } = await call('POST /api/share', {
      token,
      body: { content: 'Of the rival', slug },
    });
    expect(status).toBe(isFreeFor(slug, 'rival') ? 201 : 409);
    if (status !== 201) return;
    await call('DELETE /api/share/{id}', { token, params: { id: body.id } });
    released.set(slug, { at: Date.now(), by: 'rival' });
  };

  return { settle, change, view: viewBySlug, compete };
};
