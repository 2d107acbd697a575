import { describe, expect, it } from 'vitest';
import { type OptionName, optionNames } from '../../../../functions/api/share/record/options.ts';
import { formOf, multipartType } from '../../../support/files/files.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();

const { ann, bob } = usePeople({ ann: newPerson, bob: newPerson });
const hers = sharesOf(ann);

interface Sample {
  readonly value: unknown;
  /** The value as a text. */
  readonly text: string;
  /** What responses say without it. */
  readonly none: unknown;
  /** Whether readers see it as if it were not set. */
  readonly isPrivate?: true;
}

const on = { value: true, text: 'true', none: false };

const getSamples = (): Readonly<Record<OptionName, Sample>> => ({
  audience: { value: 'people', text: 'people', none: 'link' },
  readers: { value: [bob.id], text: ` ${bob.email}, `, none: [], isPrivate: true },
  title: { value: 'A note', text: 'A note', none: null },
  description: { value: 'Two\nlines', text: 'Two\nlines', none: null },
  slug: { value: 'a-note', text: 'a-note', none: null },
  viewLimit: { value: 3, text: '3', none: null },
  notify: { ...on, isPrivate: true },
  readersCanEnd: on,
  showsRevisions: on,
  embedOrigins: {
    value: ['https://one.example', 'https://two.example'],
    text: 'https://one.example https://two.example/,https://one.example',
    none: [],
    isPrivate: true,
  },
});

const nothing = Object.fromEntries(optionNames.map((name) => [name, null]));
const shownAs = (of: (sample: Sample) => unknown) => {
  const samples = getSamples();
  return Object.fromEntries(optionNames.map((name) => [name, of(samples[name])]));
};
const getQuery = () => shownAs(({ text }) => text) as Record<OptionName, string>;
const getValues = () => shownAs(({ value }) => value);

/** Creates a share in each way, and frees its name for the next. */
const ways: Readonly<Record<string, () => ReturnType<typeof call>>> = {
  JSON: () => hers.create(getValues()),
  'the query': () =>
    call('POST /api/share', {
      token: ann.token,
      body: 'Hi',
      query: getQuery(),
      headers: { 'content-type': 'text/markdown' },
    }),
  'a form': () =>
    call('POST /api/share', {
      token: ann.token,
      body: formOf(...Object.entries(getQuery()).map(([name, content]) => ({ name, content })), {
        name: 'file',
        fileName: 'note.md',
        content: 'Hi',
      }),
      headers: multipartType,
    }),
};

describe.each(Object.entries(ways))('the options of a share, sent in %s', (_, create) => {
  it('are shown, audited, seen by readers unless private, and removed by null', async () => {
    const values = getValues();
    const { status, body } = await create();
    expect(status, JSON.stringify(body)).toBe(201);
    const { id } = body;
    expect((await hers.look(id)).body).toMatchObject(values);
    const [created] = await entriesAbout(`share:${id}`);
    expect(created?.after).toMatchObject(values);

    const read = await call('GET /api/share', { query: { id }, token: bob.token });
    expect(read.body).toMatchObject(
      shownAs(({ value, none, isPrivate }) => (isPrivate ? none : value)),
    );

    const { status: updated, body: after } = await hers.put(id, nothing);
    expect(updated, JSON.stringify(after)).toBe(200);
    expect(after).toMatchObject(shownAs(({ none }) => none));
    const entries = await entriesAbout(`share:${id}`);
    expect(entries.find(({ action }) => action === 'share.update')?.before).toMatchObject(values);
  });
});

describe('PUT /api/share/{id}', () => {
  it('changes each option, and nothing when it is sent as it is', async () => {
    const values = getValues();
    const id = await hers.newShare();
    const { body } = await hers.put(id, values);
    expect(body).toMatchObject(values);
    expect((await hers.put(id, values)).body.version).toBe(body.version);
  });
});
