import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { documentKeys } from '../../../functions/api/documents/keys.ts';
import {
  change,
  create,
  list,
  made,
  newAuthor,
  newManager,
  newReader,
  purge,
  restore,
  share,
  trash,
} from '../../support/documents/documents.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useMeter } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
const { measure } = useMeter();

const { ann, rea, max } = useNewPeople({ ann: newAuthor, rea: newReader, max: newManager });
type Caller = Parameters<typeof list>[0];

/** Searches, and returns the matches as `text 7`, with the total. */
const search = async (client: Caller, words: string, query = {}) => {
  const { status, body } = await list(client, { search: words, pageSize: '100', ...query });
  expect(status, JSON.stringify(body)).toBe(200);
  const { items, total, totalIsExact, nextCursor } = body.data;
  return {
    found: items.map(({ id, matchedIn }: Record<string, unknown>) => `${matchedIn} ${id}`),
    total,
    totalIsExact,
    nextCursor,
  };
};

const whole = (...found: readonly string[]) => ({
  found,
  total: found.length,
  totalIsExact: true,
  nextCursor: null,
});

/** Creates a document a millisecond after the one before. */
const next = async (client: Caller, body: object): Promise<number> => {
  pass(1);
  return made(client, body);
};

/** Too much for the table. */
const large = (): string => randomBytes(15_000).toString('base64');

const text = (content: string) => ({ title: 'Untitled', content });

describe('a search of documents', () => {
  it('finds words of titles first, and then those of texts, newest first', async () => {
    const named = await next(ann, { title: 'Harbour plan', content: 'harbour' });
    const older = await next(ann, text('The Harbours of Ålesund'));
    const newer = await next(ann, text('**harbour** <b>master</b>'));
    await next(ann, text('an unharboured thought'));
    await next(ann, { title: 'Nothing in it' });
    const all = [`title ${named}`, `text ${newer}`, `text ${older}`];
    expect(await search(ann, 'HARBOUR')).toEqual(whole(...all));
    expect(await search(ann, 'harb ales')).toEqual(whole(`text ${older}`));
    expect(await search(ann, 'harbour', { sort: '-createdAt' })).toMatchObject({
      found: [`title ${named}`, `text ${older}`, `text ${newer}`],
    });
    expect((await list(ann)).body.data.items[0]).not.toHaveProperty('matchedIn');
  });

  it('finds Chinese, Japanese and Korean by pairs, as in titles', async () => {
    const id = await next(ann, text('会議は東京都庁で'));
    expect(await search(ann, '京都')).toEqual(whole(`text ${id}`));
    expect(await search(ann, '庁')).toEqual(whole(`text ${id}`));
    expect(await search(ann, '大阪')).toEqual(whole());
  });

  it('finds the first 2,000 words, wherever the text is stored', async () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `word${at}`);
    const small = await next(ann, text(`${words.join(' ')} beyond`));
    const big = await next(ann, text(`early ${large()}`));
    expect((await itemsOf(documentKeys.record.at({ id: big }).pk)).length).toBe(2);
    expect(await search(ann, 'word1999')).toEqual(whole(`text ${small}`));
    expect(await search(ann, 'beyond')).toEqual(whole());
    expect(await search(ann, 'early')).toEqual(whole(`text ${big}`));
    const long = await next(ann, text(`giant ${'a '.repeat(900_000)}`));
    expect(await search(ann, 'giant')).toEqual(whole(`text ${long}`));
  });

  it('shows each person what they see, and follows who that is', async () => {
    const id = await next(ann, text('a secret recipe'));
    const found = whole(`text ${id}`);
    expect(await search(rea, 'recipe')).toEqual(whole());
    expect((await search(max, 'recipe')).found).toEqual(found.found);
    await share(ann, id, [rea.id]);
    expect(await search(rea, 'recipe')).toEqual(found);
    await change(ann, id, { visibility: 'everyone' });
    expect(await search(rea, 'recipe')).toEqual(found);
    await change(ann, id, { visibility: 'private', content: 'a public menu' });
    expect(await search(rea, 'recipe')).toEqual(whole());
    expect(await search(rea, 'menu')).toEqual(found);
  });

  it('finds nothing of the trash, nor of what is gone', async () => {
    const id = await next(ann, text(`buried ${large()}`));
    await trash(ann, id);
    expect(await search(ann, 'buried')).toEqual(whole());
    await restore(ann, id);
    expect(await search(ann, 'buried')).toEqual(whole(`text ${id}`));
    await trash(ann, id);
    await purge(ann, id);
    expect(await itemsOf(documentKeys.record.at({ id }).pk)).toEqual([]);
  });

  it('goes on by cursor and by page, each match once', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      ids.unshift(`text ${await next(ann, text('pebble'))}`);
    }
    const named = `title ${await next(ann, { title: 'Pebble' })}`;
    const expected = [named, ...ids];
    const byPage = [1, 2, 3].map((page) =>
      search(ann, 'pebble', { pageSize: '2', page: String(page) }),
    );
    expect((await Promise.all(byPage)).flatMap(({ found }) => found)).toEqual(expected);
    const byCursor: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await search(ann, 'pebble', { pageSize: '2', ...(cursor && { cursor }) });
      expect(page).toMatchObject({ total: 6, totalIsExact: true });
      byCursor.push(...page.found);
      cursor = page.nextCursor;
    }
    expect(byCursor).toEqual(expected);
  });

  it('finds none by a search without a word', async () => {
    await next(ann, text('- ! ?'));
    expect(await search(ann, '!?')).toEqual(whole());
  });
});

describe('the text of a document', () => {
  /** Returns the names of a document's items. */
  const itemsOfDocument = async (id: number) =>
    (await itemsOf(documentKeys.record.at({ id }).pk))
      .map(({ sk }) => sk)
      .filter((sk) => sk === 'TEXTS' || sk === 'DOCUMENT')
      .toSorted();

  it('moves between table and bucket, and can be found at each', async () => {
    const { body } = await create(ann, text('first place'));
    const { id } = body.data;
    const steps = [`second ${large()}`, `third ${large()}`, 'fourth', `fifth ${large()}`, null];
    for (const content of steps) {
      await change(ann, id, { content });
      const [word = 'none'] = content?.split(' ') ?? [];
      expect(await search(ann, word)).toEqual(content === null ? whole() : whole(`text ${id}`));
    }
    expect(await search(ann, 'fifth')).toEqual(whole());
    expect(await itemsOfDocument(id)).toEqual(['DOCUMENT']);
  });

  it('costs no item more where it is in the table', async () => {
    const id = await next(ann, text('some words'));
    const before = await measure(() => change(ann, id, { content: 'some other words' }));
    expect(before.writes).not.toHaveProperty('WORDS');
    expect(await itemsOfDocument(id)).toEqual(['DOCUMENT', 'TEXTS']);
  });

  it('writes its beginning again only if that changes', async () => {
    const body = `${large()}${large()}`;
    const id = await next(ann, text(`early ${body}`));
    const later = await measure(() => change(ann, id, { content: `early ${body} late` }));
    const sooner = await measure(() => change(ann, id, { content: `earlier ${body} late` }));
    expect(sooner.writeUnits).toBeGreaterThan(later.writeUnits);
  });
});

describe('the cost of a search', () => {
  it('is half a unit for each text, and one for each four kilobytes of the list', async () => {
    const words = Array.from({ length: 600 }, (_, at) => `word${at % 311}`).join(' ');
    for (let at = 0; at < 60; at++) await next(ann, text(`${words} ${at}`));
    const { readUnits, trips, result } = await measure(() => search(ann, 'absent'));
    expect(result).toEqual(whole());
    expect(readUnits).toBeLessThan(60 / 2 + 20);
    expect(trips).toBeLessThanOrEqual(6);
  });
});
