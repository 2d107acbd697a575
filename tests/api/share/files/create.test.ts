import { describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { namesOf, objectsOf, sendFiles, site } from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();

const { ann } = useNewPeople({ ann: newPerson });

describe('POST /api/share with several files', () => {
  it('stores them, the page as content and the others as objects', async () => {
    const { status, body } = await sendFiles(ann.token, site);
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: body.id, language: 'html', message: 'Shared', audience: 'link' },
        url: `https://handbill.test/s/${body.id}`,
      },
    ]);
    const [page, style, dot] = namesOf(site);
    const opened = await call('GET /api/share', { query: { id: body.id } });
    expect(opened.body).toMatchObject({
      content: site['index.html'],
      main: 'index.html',
      files: [
        { ...page, type: 'text/html' },
        { ...style, type: 'text/css' },
        { ...dot, type: 'image/png' },
      ],
    });
    expect(await objectsOf(body.id)).toHaveLength(2);
    expect((await sharesOf(ann).look(body.id)).body.files).toEqual(opened.body.files);
  });
});
