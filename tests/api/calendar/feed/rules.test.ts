import { beforeAll, describe, it } from 'vitest';
import { newPlanner } from '../../../support/calendar/calendar.ts';
import { newFeed } from '../../../support/calendar/feed.ts';
import { checkRules, rulesAt } from '../../../support/calendar/rules.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useTable } from '../../../support/table/table.ts';
import type { Person } from '../../../support/users/test-users.ts';

useTable();
useVirtualTime(rulesAt);

let ann: Person;
let feed: string;
beforeAll(async () => {
  ann = await newPlanner();
  feed = await newFeed(ann);
});

describe('recurrence rule in the feed', () => {
  it('has the same occurrences in an independent parser as in the API', async () => {
    await checkRules(ann, feed, 30);
  }, 120_000);
});
