import { randomBytes } from 'node:crypto';
import { shareKeys } from '../../../../functions/api/share/record/keys.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { type Answer, call } from '../../../support/service/call.ts';
import { runMinute } from '../../../support/service/jobs.ts';
import { gateOf } from '../../../support/shares/account.ts';
import { passwords } from '../../../support/shares/reading-model.ts';
import { linksOf, revisionsOf } from '../../../support/shares/requests.ts';
import { open, page, tokenIn, view } from '../../../support/shares/shares.ts';
import { login, newUserOf } from '../../../support/users/test-users.ts';

/** The allowed status codes of each operation, regardless of concurrent ones. */
export const answersOf = {
  view: [200, 401, 404, 410],
  open: [303, 401, 404, 410],
  doubleClick: [303, 401, 404, 410],
  linkView: [200, 401, 404, 410],
  linkOpen: [303, 401, 404, 410],
  slugView: [200, 401, 404, 410],
  addLink: [201, 401, 404, 409, 410],
  revokeLink: [200, 401, 404],
  otherSlug: [200, 404, 410],
  wrong: [401, 404, 410],
  head: [200, 401, 404, 410],
  prefetch: [400],
  page: [200, 404, 410],
  report: [201, 404, 410],
  title: [200, 404, 410],
  content: [200, 404, 410],
  restore: [200, 404, 410],
  limit: [200, 400, 404, 410],
  password: [200, 404, 410],
  sweep: [],
  delete: [200, 404],
  takeDown: [200, 404],
  suspend: [200],
} as const satisfies Readonly<Record<string, readonly number[]>>;

export type Deed = keyof typeof answersOf;

/** The responses of an operation. */
export interface Done {
  readonly deed: Deed;
  readonly answers: readonly Answer[];
}

/** Counts the served views; a double click is one. */
export const servedOf = (done: readonly Done[]): number => {
  const had = (status: number, deed: Deed) =>
    done.filter((one) => one.deed === deed && one.answers.some((each) => each.status === status));
  return [
    ...[had(200, 'view'), had(303, 'open'), had(303, 'doubleClick')],
    ...[had(200, 'slugView'), had(200, 'linkView'), had(303, 'linkOpen')],
  ].flat().length;
};

/** The limit of the first link of a share; the second has none. */
export const linkLimit = 3;

export interface CrowdedShare {
  readonly viewLimit: number;
  readonly isLarge: boolean;
  readonly isProtected: boolean;
}

/** Creates a share for concurrent operations. */
export const newCrowd = async (
  admin: { readonly email: string; token: string },
  { viewLimit, isLarge, isProtected }: CrowdedShare,
) => {
  admin.token = (await login(admin.email)).body.accessToken;
  const owner = await newUserOf('user');
  const texts: string[] = [];
  const limits = [viewLimit];
  let given: string | undefined = isProtected ? passwords[0] : undefined;
  let count = 0;
  const newText = () => {
    const text = `No. ${texts.length} ${isLarge ? randomBytes(15_000).toString('base64') : ''}`;
    texts.push(text);
    return text;
  };

  let slug = `crowd-of-${owner.id}`;
  const body = { content: newText(), viewLimit, password: given, slug };
  const { id } = (await call('POST /api/share', { token: owner.token, body })).body as {
    id: string;
  };
  const [limited, unlimited] = [
    (await linksOf(owner).addLink(id, { label: 'Mei', viewLimit: linkLimit })).body.id as string,
    (await linksOf(owner).addLink(id, { label: 'Luca' })).body.id as string,
  ];
  const params = { id };
  const put = (change: object) =>
    call('PUT /api/share/{id}', { token: admin.token, params, body: change });
  const decide = (decision: string) =>
    call('PUT /api/shares/{id}/decision', { token: admin.token, params, body: { decision } });
  const openAs = (claim: string, address = id) =>
    open(address, { claim, ...(given !== undefined && { password: given }) });
  const setLimit = (limit: number) => {
    limits.push(limit);
    return put({ viewLimit: limit });
  };

  const setSlug = (after: string) => {
    slug = after;
    return put({ slug });
  };

  const deeds: Readonly<Record<Deed, () => Promise<Answer | Answer[]>>> = {
    view: () => view(id, given),
    open: () => openAs(`claim ${++count}`),
    doubleClick: () => {
      const claim = `claim ${++count}`;
      return Promise.all([openAs(claim), openAs(claim)]);
    },
    slugView: () => view(slug, given),
    otherSlug: () => setSlug(`crowd-of-${owner.id}-${++count}`),
    linkView: () => view(limited, given),
    linkOpen: () => openAs(`claim ${++count}`, unlimited),
    addLink: () => linksOf(owner).addLink(id, { label: `Reader ${++count}` }),
    revokeLink: () => linksOf(owner).revokeLink(id, unlimited),
    wrong: async () =>
      // A share without a password accepts any password.
      given === undefined
        ? []
        : Promise.all([view(id, 'wrong1'), view(id), open(id, { password: 'wrong1' })]),
    head: () => view(id, given, 'HEAD'),
    prefetch: () =>
      call('GET /api/share', {
        query: { id },
        headers: { 'sec-purpose': 'prefetch' },
      }),
    page: () => page(id),
    report: () => call('POST /api/share/{id}/report', { params, body: { reason: 'Not for here' } }),
    title: () => put({ title: `Title ${++count}` }),
    restore: () => revisionsOf({ token: admin.token }).restore(id, 1),
    content: () => put({ content: newText() }),
    limit: () => setLimit(1 + (count++ % 10)),
    password: () => put({ password: passwords[1] }),
    sweep: () => runMinute().then(() => []),
    delete: () => call('DELETE /api/share/{id}', { token: admin.token, params }),
    takeDown: () => decide('take-down'),
    suspend: () =>
      call('PUT /api/users/{id}', {
        token: admin.token,
        params: { id: String(owner.id) },
        body: { status: 'suspended' },
      }),
  };

  return {
    id,
    texts,
    /** All limits that the share had or was sent. */
    limits,
    gate: () => gateOf(id),
    /** Returns the views of the limited link and of the other. */
    linkViews: async (): Promise<readonly [number, number]> => {
      const links = (await gateOf(id))?.links;
      return [links?.[limited]?.views ?? 0, links?.[unlimited]?.views ?? 0];
    },
    /** Whether the link without a limit opens nothing any more. */
    isLinkRevoked: async (): Promise<boolean> =>
      (await gateOf(id))?.links[unlimited]?.revokedAt !== undefined,
    password: () => given,
    /** Runs all operations concurrently. */
    run: async (batch: readonly Deed[]): Promise<Done[]> => {
      const done = await Promise.all(
        batch.map(async (deed) => ({ deed, answers: [await deeds[deed]()].flat() })),
      );
      const isChanged = done.some(
        ({ deed, answers: responses }) => deed === 'password' && responses[0]?.status === 200,
      );
      if (isChanged) given = passwords[1];
      return done;
    },
    /** Returns the share as moderators see it; `undefined` after its deletion. */
    state: async () => {
      const response = await call('GET /api/shares/{id}', { token: admin.token, params });
      return response.status === 404 ? undefined : response.body.data;
    },
    ownCount: async () =>
      (await batchGet([shareKeys.ownCount.at({ ownerId: owner.id })]))[0]?.['shares'],
    /** Opens the share once more and returns the view token. */
    token: async () => tokenIn(await openAs(`claim ${++count}`)),
  };
};
