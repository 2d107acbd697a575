// What the first view of a share costs, by its content and rules. A known one is in `text-memory.test.ts`.
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { forgetTexts } from '../../../functions/api/share/reading/text-memory.ts';
import { maxLinks } from '../../../functions/api/share/record/links.ts';
import { s3ThresholdBytes } from '../../../shared/storage/stored-text.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import type { Answer } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { randomText, words } from '../../support/shares/contents.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn, view } from '../../support/shares/shares.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann } = usePeople({ ann: newPerson });
const meter = useMeter();
const { newShare } = sharesOf(ann);
const { addLink } = linksOf(ann);

const kb = 1_024;
/** Of each place where a content is stored: the record, the table and the bucket. */
const contents = {
  '1 KB of text': words(kb),
  '1 KB at random': randomText(kb),
  '100 KB at random': randomText(100 * kb),
};
const rules = {
  'no limit': {},
  'a limit': { viewLimit: 9 },
  'a password': { password: 'Abc123' },
  'a limit and a password': { viewLimit: 9, password: 'Abc123' },
};

/** The approximate size of the largest record and access item of a share. */
const recordAndGateBytes = 1.5 * kb;

/**
 * Returns the expected storage of the content, and the read units of one query for record, access item and content, which
 * a process makes for its first view of a share.
 */
const expectedOf = (content: string) => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  const bytes = brotliCompressSync(content, { params }).length;
  const isInTable = bytes < s3ThresholdBytes;
  // Keys and attribute names take less than 100 bytes.
  const textBytes = isInTable ? bytes + 100 : 0;
  // Adds the owner’s record, which is read to block shares of suspended owners.
  const readUnits = Math.ceil((recordAndGateBytes + textBytes) / (4 * kb)) + 1;
  return { readUnits, objects: isInTable ? 0 : 1 };
};

const measure = async (work: () => Promise<Answer>) => {
  const { result, ...consumption } = await meter.measure(work);
  return { status: result.status, ...consumption };
};
/** A correct password takes a token from both buckets like an incorrect one, and refunds it. */
const ofLimits = (isProtected: boolean) => (isProtected ? { LIMIT: 4 } : {});
const ofView = (isProtected: boolean) => ({ STATE: 1, ...ofLimits(isProtected) });

const small = '1 KB of text';
const cases = [
  ...Object.entries(rules).map(([rule, given]) => ({
    ...{ size: small, content: contents[small] },
    ...{ rule, given },
  })),
  ...Object.entries(contents)
    .filter(([size]) => size !== small)
    .map(([size, content]) => ({ size, content, rule: 'no limit', given: rules['no limit'] })),
];

describe('the cost of a view', () => {
  it.each(cases)('of $size with $rule, by the API and on the page', async ({ content, given }) => {
    const id = await newShare({ content, ...given });
    const password = 'password' in given ? given.password : undefined;
    const isProtected = password !== undefined;
    const isLimited = 'viewLimit' in given;
    const { readUnits, objects } = expectedOf(content);

    const byApi = await measure(() => view(id, password));
    expect(byApi).toMatchObject({
      status: 200,
      readUnits,
      writes: ofView(isProtected),
      requests: { bucket: objects, queue: 1 },
    });
    if (!isProtected) {
      // The view is consumed after all reads, so that a failed read consumes none.
      expect(byApi).toMatchObject({ writeUnits: 1, requests: { table: 3 }, tableTrips: 3 });
      expect(byApi.trips).toBeLessThanOrEqual(4 + objects);
    }

    const before = await measure(() => page(id));
    expect(before).toMatchObject({ status: 200, writes: {}, requests: { bucket: 0 } });
    const { result: opened, ...opening } = await meter.measure(() =>
      open(id, isProtected ? { password } : {}),
    );
    expect([opened.status, opening.writes]).toEqual([303, ofView(isProtected)]);

    const view60 = tokenIn(opened);
    for (const look of [page, raw, frame]) {
      forgetTexts(id);
      const looked = await measure(() => look(id, view60));
      // Reading with the token of a view counts no further view.
      const isCounted = look !== frame && !isProtected && !isLimited;
      expect(looked).toMatchObject({
        status: 200,
        readUnits,
        writes: {},
        requests: { bucket: look === page ? 0 : objects, queue: isCounted ? 1 : 0 },
      });
      expect(looked.trips).toBeLessThanOrEqual(2);
    }
  });

  it.each([
    // Compressed together, source, HTML and page take little more than the source alone.
    { size: '12 KB', content: words(12 * kb), expected: { readUnits: 3, bucket: 0 } },
    { size: '60 KB', content: randomText(60 * kb), expected: { readUnits: 2, bucket: 1 } },
  ])('of $size of Markdown is one item or one object, by the API and on the page', async (made) => {
    const id = await newShare({ content: made.content, language: 'markdown' });
    for (const look of [view, page, raw]) {
      forgetTexts(id);
      const { status, readUnits, requests } = await measure(() => look(id));
      expect({ status, readUnits, bucket: requests.bucket }).toEqual({
        status: 200,
        ...made.expected,
      });
    }
  });

  it('is one write for the last view, as the counter is read before', async () => {
    const id = await newShare({ content: 'x', viewLimit: 2 });
    const first = await measure(() => view(id));
    expect(first).toMatchObject({ status: 200, requests: { table: 3, queue: 1 }, tableTrips: 3 });
    const last = await measure(() => view(id));
    // One job schedules the purge, in addition to the activity event of every view.
    expect(last).toMatchObject({
      status: 200,
      writes: { STATE: 1 },
      requests: { table: 3, queue: 2 },
      tableTrips: 2,
    });
  });

  it('is one write for the last view on the page', async () => {
    const id = await newShare({ content: 'x', viewLimit: 1 });
    const usual = await newShare({ content: 'x', viewLimit: 2 });
    const last = await measure(() => open(id));
    const other = await measure(() => open(usual));
    expect([last.writes, other.writes]).toEqual([{ STATE: 1 }, { STATE: 1 }]);
    expect(last.requests).toEqual({ ...other.requests, queue: 2 });
  });

  it('is still one unit once the access item stores the maximum of view ids', async () => {
    const id = await newShare({ content: 'x', viewLimit: 1_000_000, expiresIn: 86_400 });
    for (let taken = 0; taken < 45; taken++) await view(id);
    expect(await measure(() => view(id))).toMatchObject({ writeUnits: 1, readUnits: 2 });
  });

  it('by a link is one read more, and one write of one more unit for each further KB of the access item', async () => {
    const id = await newShare({ content: 'x', viewLimit: 1_000_000 });
    const units: number[] = [];
    for (let count = 1; count <= maxLinks; count++) {
      const label = `Recipient no. ${count}`.padEnd(40, '.');
      const { body } = await addLink(id, { label, viewLimit: 1_000_000, expiresIn: 86_400 });
      await view(body.id);
      const measured = await measure(() => view(body.id));
      expect(measured).toMatchObject({ status: 200, requests: { table: 4 }, tableTrips: 3 });
      units.push(measured.writeUnits);
    }
    expect([units[5], units[6], units.at(-1)]).toEqual([1, 2, 3]);
  });

  it('includes no write for rejected requests', async () => {
    const id = await newShare({ content: 'x', viewLimit: 2 });
    const looks = [
      () => view(id, undefined, 'HEAD'),
      () => page(id),
      () => page(id, undefined, 'HEAD'),
      () => raw(id),
      () => frame(id),
    ];
    for (const look of looks) expect((await measure(look)).writeUnits).toBe(0);
  });
});
