import { beforeAll, describe, expect, it } from 'vitest';
import { listConversations, newWriter, sent } from '../../support/messages/messages.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

describe('GET /api/messages/conversations with a search', () => {
  const { ann, bob, zoe } = usePeople({
    ann: () => newWriter('Ann Writer'),
    bob: () => newWriter('Bob Bäcker'),
    zoe: () => newWriter('Zoë Quill'),
  });
  beforeAll(async () => {
    await sent(bob, [ann], { subject: 'Summer fair' });
    await sent(ann, [zoe], { subject: 'Paper and ink' });
    await sent(zoe, [ann, bob], { subject: 'Fair prices' });
    await sent(ann, [bob]);
  });

  const subjects = async (search: string, query = {}) => {
    const { status, body } = await listConversations(ann, { search, ...query });
    expect(status).toBe(200);
    return body.data.items.map((item: { subject: string | null }) => item.subject);
  };

  it('finds words of the subject and of the people, the most recent first', async () => {
    expect(await subjects('fair')).toEqual(['Fair prices', 'Summer fair']);
    expect(await subjects('FAI summ')).toEqual(['Summer fair']);
    expect(await subjects('zoe')).toEqual(['Fair prices', 'Paper and ink']);
    expect(await subjects('backer')).toEqual([null, 'Fair prices', 'Summer fair']);
    expect(await subjects('bob fair')).toEqual(['Fair prices', 'Summer fair']);
    expect(await subjects('air')).toEqual([]);
    expect(await subjects('')).toHaveLength(4);
    expect(await subjects('fair', { sort: '-updatedAt' })).toEqual(['Summer fair', 'Fair prices']);
  });

  it('goes on by its cursor, which is bound to the words', async () => {
    const { body } = await listConversations(ann, { search: 'fair', pageSize: '1' });
    const { items, nextCursor: cursor, totalIsExact } = body.data;
    expect(items).toHaveLength(1);
    expect(totalIsExact).toBe(false);
    expect(await subjects('fair', { pageSize: '1', cursor })).toEqual(['Summer fair']);
    expect((await listConversations(ann, { search: 'zoe', cursor })).status).toBe(400);
  });
});
