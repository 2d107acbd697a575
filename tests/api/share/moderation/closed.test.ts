// What moderators see and do of shares that not everyone can open.
import { describe, expect, it, vi } from 'vitest';
import { keepTexts } from '../../../../functions/api/share/reading/text-memory.ts';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import { instead } from '../../../support/service/interruption.ts';
import { randomText } from '../../../support/shares/contents.ts';
import { report, revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();

const { ann, bob, root } = usePeople({ ann: 'user', bob: 'user', root: 'super_admin' });
const [hers, theirs] = [sharesOf(ann), { ...sharesOf(root), ...revisionsOf(root) }];
const secret = '# Secret\n\nWhat only Bob may read';

const newShare = () => hers.newShare({ content: secret, language: 'markdown', readers: [bob.id] });
const contentOf = async (id: string) => (await theirs.manage(id)).body.data.content;

describe('a moderator of a share for people', () => {
  it('lists it without its content, the title in it and its readers', async () => {
    const id = await newShare();
    const { body } = await theirs.manage(id);
    expect(body.data).toMatchObject({
      id,
      audience: 'people',
      readers: [],
      title: null,
      content: null,
    });
    expect(JSON.stringify(body)).not.toContain('Secret');
  });

  it('sees the content that a reader has reported, until it is changed or kept', async () => {
    const id = await newShare();
    expect((await report(id, bob.token)).status).toBe(201);
    expect(await contentOf(id)).toBe(secret);
    await hers.put(id, { content: 'Harmless' });
    expect(await contentOf(id)).toBe(null);
    await report(id, bob.token);
    expect(await contentOf(id)).toBe('Harmless');
    await theirs.decide(id, 'take-down');
    expect(await contentOf(id)).toBe('Harmless');
    await theirs.decide(id, 'keep');
    expect(await contentOf(id)).toBe(null);
  });

  it('sees nothing of what replaces reported content while it is read', async () => {
    const id = await newShare();
    await hers.put(id, { content: randomText(2 * 1_024) });
    await report(id, bob.token);
    // This process has read a former content only.
    keepTexts(id, { id: 'former', packed: new Uint8Array() });
    instead(documentClient(), { expression: '"sk":"TEXTS"' }, async (go) => {
      vi.restoreAllMocks();
      expect((await hers.put(id, { content: randomText(2 * 1_024) })).status).toBe(200);
      return go();
    });
    expect(await contentOf(id)).toBe(null);
  });

  it('sees nothing by a report of their own, as a reader', async () => {
    const id = await hers.newShare({ content: secret, readers: [root.id] });
    expect((await report(id, root.token)).status).toBe(201);
    expect(await contentOf(id)).toBe(null);
  });

  it('can take it down, keep and end it, and nothing else', async () => {
    const id = await newShare();
    await hers.put(id, { content: 'Another' });
    for (const refused of [
      await theirs.put(id, { title: 'Mild' }),
      await theirs.remove(id),
      await theirs.restore(id, 1),
    ]) {
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        'Only its owner can change a share that not everyone can open. You can take it down, or end it.',
      ]);
    }
    expect((await theirs.revisions(id)).status).toBe(404);
    expect((await theirs.decide(id, 'take-down')).status).toBe(200);
    expect((await theirs.decide(id, 'keep')).status).toBe(200);
    expect((await theirs.end(id)).status).toBe(200);
  });
});
