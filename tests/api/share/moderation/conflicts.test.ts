import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import type { Answer } from '../../../support/service/call.ts';
import { instead } from '../../../support/service/interruption.ts';
import { report, sharesOf } from '../../../support/shares/requests.ts';
import { view } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();

const { ann, root } = useNewPeople({ ann: newPerson, root: 'super_admin' });
const [hers, theirs] = [sharesOf(ann), sharesOf(root)];
afterEach(() => void vi.restoreAllMocks());

const tagOf = ({ headers }: Answer) => ({ 'if-match': headers['etag'] ?? '' });
const reported = async (): Promise<string> => {
  const id = await hers.newShare({ viewLimit: 9 });
  await report(id);
  await report(id);
  return id;
};

/** The operations of a moderator, with the given If-Match headers. */
const deeds = {
  'a decision': (id: string, seen: Record<string, string>) => theirs.decide(id, 'keep', seen),
  'an edit': (id: string, seen: Record<string, string>) => theirs.put(id, { title: 'Mild' }, seen),
  'a removal': (id: string, seen: Record<string, string>) => theirs.remove(id, seen),
} as const;

describe.each(Object.entries(deeds))('%s of a moderator with If-Match', (_, act) => {
  it('succeeds if only the views have changed', async () => {
    const id = await reported();
    const seen = tagOf(await theirs.manage(id));
    await view(id);
    expect((await act(id, seen)).status).toBe(200);
  });

  it.each([
    ['another report', (id: string) => report(id)],
    ["its owner's edit", (id: string) => hers.put(id, { title: 'Other' })],
    ['another decision', (id: string) => theirs.decide(id, 'keep')],
    ['another edit', (id: string) => theirs.put(id, { title: 'Other' })],
  ])('returns 412 after %s', async (__, change) => {
    const id = await reported();
    const seen = tagOf(await theirs.manage(id));
    expect((await change(id)).status).toBeLessThan(300);
    const refused = await act(id, seen);
    expect([refused.status, refused.body.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await act(id, tagOf(await theirs.manage(id)))).status).toBe(200);
  });
});

describe('the moderation version', () => {
  it('is the same in every response and leads from one change to the next', async () => {
    const id = await reported();
    const edited = await theirs.put(id, { title: 'Mild' }, tagOf(await theirs.manage(id)));
    const decided = await theirs.decide(id, 'take-down', tagOf(edited));
    const kept = await theirs.decide(id, 'keep', tagOf(decided));
    expect([edited, decided, kept].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await theirs.manage(id)).body.data.version).toBe(kept.body.data.version);
    expect((await theirs.put(id, { title: 'Milder' }, tagOf(kept))).status).toBe(200);
  });

  it.each(['look', 'manage'] as const)(
    'is the same for a moderator’s own share: %s',
    async (see) => {
      const id = await theirs.newShare();
      await report(id);
      const seen = await theirs[see](id);
      const [listed] = (await theirs.list()).body.items;
      const { version } = see === 'look' ? seen.body : seen.body.data;
      expect([version, listed.version]).toEqual([2, 2]);
      const edited = await theirs.put(id, { title: 'Mild' }, tagOf(seen));
      expect([edited.status, edited.body.version]).toEqual([200, 3]);
      expect((await theirs.put(id, { title: 'Milder' }, tagOf(seen))).status).toBe(412);
      expect((await theirs.remove(id, tagOf(edited))).status).toBe(200);
    },
  );

  it('is not used for owners who are not moderators', async () => {
    const id = await reported();
    const own = await hers.look(id);
    expect([own.body.version, (await hers.list()).body.items[0].version]).toEqual([1, 1]);
    const edited = await hers.put(id, { title: 'Mild' }, tagOf(own));
    expect([edited.status, edited.body.version]).toEqual([200, 2]);
  });

  it('excludes a report that arrives while the share is read', async () => {
    const id = await hers.newShare();
    instead(documentClient(), QueryCommand, async (go) => {
      await report(id);
      return go();
    });
    const { body, headers } = await theirs.manage(id);
    expect([body.data.reports, body.data.reportList.length]).toEqual([1, 1]);
    expect((await theirs.decide(id, 'keep', tagOf({ headers } as Answer))).status).toBe(200);
  });
});
