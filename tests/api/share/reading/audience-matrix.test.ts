// Who gets what of a share, by its audience: each way to it goes through the same admission (decisions.md#audience).
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { audiences } from '../../../../shared/permissions/audiences.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { type Answer, type CallOptions, call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { addFiles } from '../../../support/shares/with-files.ts';
import { useMeter } from '../../../support/table/meter.ts';
import { useTable } from '../../../support/table/table.ts';
import { setUser } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();

const people = usePeople({
  owner: 'user',
  reader: 'user',
  other: 'user',
  moderator: 'super_admin',
  suspended: 'user',
});
const meter = useMeter();
const secret = 'What only they may read';

/** Who asks: a user, nobody, or nobody with a recipient link. */
type Asker = keyof typeof people | 'nobody' | 'recipient';
type Audience = (typeof audiences)[number];

/** Shares with files, by the addresses of those without. */
const sites = new Map<string, string>();
const shares: Partial<Record<Audience, { readonly id: string; readonly link: string }>> = {};

beforeAll(async () => {
  vi.stubEnv('REGISTRATION', 'closed');
  vi.stubEnv('JWT_ACCESS_EXPIRES', '1d');
  const hers = { ...sharesOf(people.owner), ...linksOf(people.owner) };
  const readers = [people.reader.id, people.suspended.id, people.owner.id];
  for (const audience of audiences) {
    const fields = {
      ...{ content: `<p>${secret}</p><script></script>`, title: secret, audience },
      ...{ showsRevisions: true, readersCanEnd: true, embedOrigins: ['*'] },
      ...(audience === 'people' && { readers }),
    };
    const id = await hers.newShare(fields);
    await hers.put(id, { content: `<p>${secret}, once more</p>` });
    const link = (await hers.addLink(id)).body.id;
    shares[audience] = { id, link };
    const site = await hers.newShare(fields);
    await addFiles(site, { 'secret.html': secret }, { text: fields.content });
    sites.set(id, site);
    sites.set(link, (await hers.addLink(site)).body.id);
  }
  await setUser(people.suspended.id, { status: 'suspended' });
  return () => vi.unstubAllEnvs();
});

/** How the asker reaches a share: by its address or the link’s, signed in or not. */
const reach = (audience: Audience, asker: Asker): CallOptions & { readonly id: string } => {
  const { id = '', link = '' } = shares[audience] ?? {};
  if (asker === 'recipient') return { id: link };
  return { id, ...(asker !== 'nobody' && { token: people[asker].token }) };
};

type Way = (address: { readonly id: string }, session: CallOptions) => Promise<Answer>;

const by =
  (endpoint: string, query: Readonly<Record<string, string>> = {}): Way =>
  ({ id }, session) =>
    call(endpoint, { ...session, params: { id, version: '1' }, query });

/** The frame has no session. A page that shows it names its address with a token, if it takes one. */
const frame: Way = async (address, session) => {
  const { body } = await by('GET /s/{id}')(address, session);
  const [, view] = /snippets\.test\/[\w-]+\?view=([^"&]+)/.exec(String(body)) ?? [];
  return by('GET /{id}', view === undefined ? {} : { view })(address, {});
};

/** A file of the share with files, whose address its page names. */
const file: Way = async (address, session) => {
  const id = sites.get(address.id) ?? '';
  const { body } = await by('GET /s/{id}')({ id }, session);
  const [, prefix = id] = /snippets\.test\/([\w.-]+)\/index\.html/.exec(String(body)) ?? [];
  return call('GET /{id}/{path+}', { params: { id: prefix, path: 'secret.html' } });
};

const ways: Readonly<Record<string, Way>> = {
  page: by('GET /s/{id}'),
  'page, HEAD': by('HEAD /s/{id}'),
  API: ({ id }, session) => call('GET /api/share', { ...session, query: { id } }),
  'API, HEAD': ({ id }, session) => call('HEAD /api/share', { ...session, query: { id } }),
  raw: by('GET /s/{id}/raw'),
  download: by('GET /s/{id}/raw', { download: '' }),
  frame,
  file,
  revisions: by('GET /s/{id}/revisions'),
  'revisions, API': by('GET /api/share/{id}/revisions'),
  'revision, raw': by('GET /s/{id}/revisions/{version}/raw'),
  state: by('GET /s/{id}/live'),
  embed: by('GET /s/{id}/embed'),
  'end, form': by('GET /s/{id}/end'),
  'report, form': by('GET /s/{id}/report'),
};

/** The statuses of an asker, way for way. */
const ask = async (audience: Audience, asker: Asker) => {
  const { id, ...session } = reach(audience, asker);
  const answers: Record<string, number> = {};
  for (const [way, go] of Object.entries(ways)) {
    const answer = await go({ id }, session);
    answers[way] = answer.status;
    const isShown = JSON.stringify([answer.body, answer.headers]).includes(secret);
    if (answer.status >= 400) expect([way, isShown]).toEqual([way, false]);
  }
  return answers;
};

const every = (status: number) => Object.fromEntries(Object.keys(ways).map((way) => [way, status]));

const opens = every(200);
/** Nobody but the owner reads the revisions of a share that isn’t open to all, and no site embeds it. */
const closed = { revisions: 404, 'revisions, API': 404, 'revision, raw': 404 };
const asReader = { ...opens, ...closed, embed: 401 };
const asOwner = { ...opens, embed: 401 };
const signedOut = every(401);
/** Frames and embeds know no session. */
const unknown = { ...every(404), frame: 401, file: 401, embed: 401 };

const expected: Readonly<Record<Audience, Partial<Record<Asker, object>>>> = {
  link: { nobody: opens, other: opens, reader: opens, owner: opens, moderator: opens },
  members: {
    ...{ nobody: signedOut, other: asReader, reader: asReader },
    ...{ owner: asOwner, moderator: asReader },
  },
  people: {
    ...{ nobody: signedOut, other: unknown, reader: asReader },
    ...{ owner: asOwner, moderator: unknown },
  },
  private: {
    ...{ nobody: signedOut, other: unknown, reader: unknown },
    ...{ owner: asOwner, moderator: unknown },
  },
};

/**
 * A link opens a share whoever it is for, by its own address: its page asks first, so the rest takes a view. Nothing there is
 * embedded, and there are no revisions.
 */
const recipient = {
  ...opens,
  ...{ raw: 401, download: 401, frame: 404, file: 404, state: 404 },
  ...{ embed: 404, 'end, form': 404 },
  ...closed,
};

describe.each(audiences)('a share for %s', (audience) => {
  it('gives to a recipient what its link opens', async () => {
    expect(await ask(audience, 'recipient')).toEqual(recipient);
  });

  it.each(Object.entries(expected[audience]))('gives to %s', async (asker, answers) => {
    expect(await ask(audience, asker as Asker)).toEqual(answers);
  });

  it('gives nothing to a suspended reader', async () => {
    const answers = await ask(audience, 'suspended');
    const isOpen = audience === 'link';
    // A token of a suspended user is none.
    expect(new Set(Object.values(answers))).toEqual(new Set([isOpen ? 200 : 401]));
  });
});

describe('a share that isn’t for the asker', () => {
  it.each(['page', 'API', 'raw', 'revisions, API'])(
    'answers on %s as if it had never existed',
    async (way) => {
      const go = ways[way];
      const { id, ...session } = reach('private', 'other');
      const absent = `x${id.slice(1)}`;
      const [refused, missing] = [
        await meter.measure(async () => go?.({ id }, session)),
        await meter.measure(async () => go?.({ id: absent }, session)),
      ];
      const withoutIds = ({ result }: typeof refused) =>
        JSON.stringify(result)
          .replaceAll(id, '')
          .replaceAll(absent, '')
          .replace(/"(?:x-request-id|requestId)":"[^"]*"|request [\w-]+/gi, '');
      expect(withoutIds(refused)).toBe(withoutIds(missing));
      expect([refused.result?.status, refused.trips]).toEqual([404, missing.trips]);
    },
  );
});
