import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import fc from '../../support/run/properties.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { type OpensTo, openings, refusal } from '../../support/shares/audience-model.ts';
import { useTable } from '../../support/table/table.ts';
import {
  type Crowder,
  type Event,
  newReaders,
  tookView,
} from '../support/shares/concurrent-readers.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

beforeAll(() => {
  // Members are those whom someone has invited.
  vi.stubEnv('REGISTRATION', 'invite');
});
afterAll(() => void vi.unstubAllEnvs());

const AnyOpening = fc.constantFrom<OpensTo>(...openings);
const Crowders = fc.constantFrom<Crowder>('bob', 'eve', 'nobody');
const Happening: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('view', 'view', 'open', 'page', 'raw', 'linkView'),
      by: Crowders,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change'), opensTo: AnyOpening }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'work' as const }) },
);

describe('a share whose readers change while it is read', () => {
  it('shows each content to those alone whom it is for, as often as its counter says', async () => {
    const Start = fc.record({
      viewLimit: fc.constantFrom(undefined, 2, 6),
      opensTo: AnyOpening,
      isLarge: fc.boolean(),
      batches: fc.array(fc.array(Happening, { minLength: 2, maxLength: 16, size: 'max' }), {
        minLength: 1,
        maxLength: 3,
      }),
    });
    await fc.assert(
      fc.asyncProperty(Start, async ({ batches, ...rules }) => {
        const readers = await newReaders(rules);
        for (const batch of batches) {
          const before = await readers.views();
          const got = await readers.run(batch);
          for (const one of got) {
            const opensTo = readers.findOpensTo(one);
            if (opensTo === undefined || one.by === 'recipient') continue;
            expect([opensTo, one.by, refusal({ opensTo }, one.by)]).toEqual([
              opensTo,
              one.by,
              undefined,
            ]);
          }
          // Page views of a share without a limit are counted by a job.
          if (rules.viewLimit !== undefined) {
            const views = await readers.views();
            expect(views - before).toBe(got.filter(tookView).length);
            expect(views).toBeLessThanOrEqual(rules.viewLimit);
          }
          const { shown, expected, isOpen } = await readers.refusals();
          if (isOpen) expect(shown).toEqual(expected);
        }
      }),
      { numRuns: 15 },
    );
  });
});
