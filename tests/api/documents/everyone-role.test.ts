import { describe, expect, it } from 'vitest';
import {
  change,
  create,
  listed,
  look,
  made,
  newAuthor,
  newManager,
  newReader,
} from '../../support/documents/documents.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { ann, rea, manager } = usePeople({ ann: newAuthor, rea: newReader, manager: newManager });

const everyonesDocument = (body: object = {}): Promise<number> =>
  made(ann, { content: 'First', visibility: 'everyone', everyoneRole: 'editor', ...body });

describe('a document that everyone may edit', () => {
  it('is changed in title and content by whoever can view documents, and in nothing else', async () => {
    const id = await everyonesDocument();
    expect((await look(rea, id)).body.data).toMatchObject({
      everyoneRole: 'editor',
      actions: ['edit'],
    });
    const changed = await change(rea, id, { title: 'Ours', content: 'Second' });
    expect([changed.status, changed.body.data.content]).toEqual([200, 'Second']);
    expect(changed.body.data.editedBy.id).toBe(rea.id);
    for (const edit of [{ tags: ['x'] }, { visibility: 'private' }, { everyoneRole: 'reader' }]) {
      const refused = await change(rea, id, edit);
      expect([refused.status, refused.body.error.details]).toEqual([
        403,
        [{ field: Object.keys(edit)[0], message: 'is changed by the owner only' }],
      ]);
    }
    expect((await listed(rea)).ids).toContain(id);
  });

  it('is only read again as soon as its owner or a manager says so', async () => {
    for (const [who, edit] of [
      [ann, { everyoneRole: 'reader' }],
      [manager, { everyoneRole: null }],
    ] as const) {
      const id = await everyonesDocument();
      expect((await change(who, id, edit)).body.data.everyoneRole).toBe('reader');
      const refused = await change(rea, id, { title: 'Mine' });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('loses the role when it becomes private, and does not get it back', async () => {
    const id = await everyonesDocument();
    expect((await change(ann, id, { visibility: 'private' })).body.data.everyoneRole).toBe(
      'reader',
    );
    expect((await change(ann, id, { visibility: 'everyone' })).body.data.everyoneRole).toBe(
      'reader',
    );
    expect((await look(rea, id)).body.data.actions).toEqual([]);
  });

  it('takes the whole document back with another visibility', async () => {
    const id = await everyonesDocument();
    const { body } = await look(ann, id);
    const changed = await change(ann, id, { ...body.data, visibility: 'private' });
    expect([changed.status, changed.body.data.everyoneRole]).toEqual([200, 'reader']);
  });

  it.each([{}, { visibility: 'private' }])('is not one that is private: %j', async (visibility) => {
    const { status, body } = await create(ann, { ...visibility, everyoneRole: 'editor' });
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: 'everyoneRole', message: 'must be reader unless visibility is everyone' }],
    ]);
  });

  it('stays closed to guests and to tokens without documents:update', async () => {
    const id = await everyonesDocument();
    const guest = await newUserOf('guest');
    const limited = await createApiToken(rea.token, { permissions: ['documents:view'] });
    for (const caller of [guest, { token: limited.body.data.token as string }]) {
      expect((await change(caller, id, { title: 'Mine' })).status).toBe(403);
    }
  });
});
