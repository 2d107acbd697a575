import { describe, expect, it } from 'vitest';
import { section } from '../../../functions/api/documents/archive.ts';
import { takeFrontMatter } from '../../../shared/exports/archive-front-matter.ts';
import {
  change,
  made,
  newAuthor,
  newReader,
  share,
  trash,
} from '../../support/documents/documents.ts';
import { readSection } from '../../support/exports/archive.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useBucket();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

const tenMinutes = 600_000;

describe('the documents of an archive', () => {
  it('are Markdown with front matter, of which the text is exactly theirs', async () => {
    const [ann, bob] = [await newAuthor(), await newReader()];
    const content = '---\ntitle: "Mine"\n---\r\n# Ä\u2028\n\n---\n';
    const fields = { title: 'A: "plan" / 1', folder: 'Plans', tags: ['a', 'ü'], type: 'note' };
    const id = await made(ann, { ...fields, content });
    await share(ann, id, [bob.id]);
    const archive = await readSection(section, ann);
    const path = `documents/${id}-A- -plan- - 1.md`;
    expect(archive.paths).toEqual([path]);
    expect(takeFrontMatter(archive.text(path))).toEqual({
      fields: {
        ...{ ...fields, visibility: 'private', everyoneRole: 'reader', sharedWith: [bob.id], id },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        editedAt: expect.any(String),
        version: 2,
      },
      text: content,
    });
    expect(archive.text(path)).toMatch(/^---\ntitle: "A: \\"plan\\" \/ 1"\ntype: "note"\n/);
  });

  it('are those of the author, in any list and with none of others', async () => {
    const [ann, bob] = [await newAuthor(), await newAuthor()];
    const ids = [
      await made(ann, { title: 'Empty' }),
      await made(ann, { title: 'Public', content: '', visibility: 'everyone' }),
      await made(ann, { title: 'Gone', content: 'Old' }),
    ];
    await trash(ann, ids[2] ?? 0);
    const others = await made(bob, { title: 'Bob’s', content: 'Hi' });
    await share(bob, others, [ann.id]);
    const archive = await readSection(section, ann);
    expect(archive.paths).toEqual([
      `documents/${ids[0]}-Empty.md`,
      `documents/${ids[1]}-Public.md`,
      `trash/documents/${ids[2]}-Gone.md`,
    ]);
    const read = archive.paths.map((path) => takeFrontMatter(archive.text(path)));
    expect(read.map((one) => [one?.fields['content'], one?.text])).toEqual([
      [null, ''],
      [null, ''],
      [undefined, 'Old'],
    ]);
    expect(read[2]?.fields['deletedAt']).toBe(new Date().toISOString());
  });

  it('have their revisions, and contents of any size', async () => {
    const ann = await newAuthor();
    const large = 'A line of text.\n'.repeat(60_000);
    const random = Array.from({ length: 30_000 }, (_, at) => (at * 7919 ** 2).toString(36)).join();
    const id = await made(ann, { title: 'Notes', content: large });
    pass(tenMinutes);
    await change(ann, id, { title: 'New notes', content: random });
    const archive = await readSection(section, ann);
    expect(archive.paths).toEqual([
      `documents/${id}-New notes.md`,
      `documents/revisions/${id}/1.md`,
    ]);
    expect(takeFrontMatter(archive.text(`documents/${id}-New notes.md`))?.text).toBe(random);
    expect(takeFrontMatter(archive.text(`documents/revisions/${id}/1.md`))).toMatchObject({
      fields: { title: 'Notes', version: 1 },
      text: large,
    });
    expect(archive.leftOut).toEqual([]);
  });

  it('are all there, however many', async () => {
    const ann = await newAuthor();
    const titles = Array.from({ length: 60 }, (_, at) => `Document ${at}`);
    for (const title of titles) {
      pass(1);
      await made(ann, { title, content: title });
    }
    const { paths, text } = await readSection(section, ann);
    expect(paths.map((path) => takeFrontMatter(text(path))?.text)).toEqual(titles);
  });
});
