import { describe, expect, it } from 'vitest';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { objectsOf, sendFiles } from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();

const { ann } = useNewPeople({ ann: newPerson });

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
const svg = Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>');

const send = (type: string, body: Buffer | string, title?: string) =>
  call('POST /api/share', {
    token: ann.token,
    body,
    query: title === undefined ? {} : { title },
    headers: { 'content-type': type },
  });

const look = async (id: string) => (await sharesOf(ann).look(id)).body;

describe('POST /api/share with a picture or PDF', () => {
  it.each([
    ['image/png', png, undefined, 'snippet.png', '![snippet.png](snippet.png)', 'image/png'],
    ['image/jpeg', png, 'A mill', 'A mill.jpg', '![A mill.jpg](A%20mill.jpg)', 'image/png'],
    ['image/svg+xml', svg, 'a/b.svg', 'a_b.svg', '![a_b.svg](a_b.svg)', 'image/svg+xml'],
    ['application/pdf', pdf, '..b.pdf', 'b.pdf', '[b.pdf](b.pdf)', 'application/pdf'],
  ])('takes %s', async (mediaType, bytes, title, path, content, type) => {
    const { status, body } = await send(mediaType, bytes, title);
    expect(status).toBe(201);
    expect(await look(body.id)).toMatchObject({
      ...{ content, language: 'markdown', main: path, title: title ?? path },
      files: [{ path, type, size: bytes.length }],
    });
    expect(await objectsOf(body.id)).toHaveLength(1);
  });

  it.each([
    ['image/png', 'a text', 'must be a picture in PNG'],
    ['image/svg+xml', '<p>Hi</p>', 'must be a picture in SVG'],
    ['application/pdf', 'Dear reader', 'must be a PDF'],
  ])('refuses a text as %s', async (mediaType, text, message) => {
    const { status, body } = await send(mediaType, text);
    expect([status, body.error.details]).toEqual([400, [{ field: 'body', message }]]);
  });

  it.each([
    ['drawing.svg', svg, 'image/svg+xml'],
    ['paper.pdf', pdf, 'application/pdf'],
    ['mill.png', png, 'image/png'],
  ])('of a form takes %s as it is', async (name, bytes, type) => {
    const { body } = await sendFiles(ann.token, { [name]: bytes });
    expect(await look(body.id)).toMatchObject({ main: name, files: [{ path: name, type }] });
  });

  it.each(['drawing.svg', 'paper.pdf', 'mill.png'])(
    'of a form takes a text named %s as lines',
    async (name) => {
      const { body } = await sendFiles(ann.token, { [name]: 'Only words\n' });
      const share = await look(body.id);
      expect(share.content).toContain(`title="${name}"\nOnly words\n`);
      expect(share).not.toHaveProperty('files');
    },
  );
});

describe('POST /api/share with CSV', () => {
  it.each([
    [undefined, 'snippet.csv'],
    ['sales', 'sales.csv'],
    ['sales.tsv', 'sales.tsv'],
  ])('named %j is a file of lines, %s', async (title, name) => {
    const { body } = await send('text/csv', 'a;b\n1;2\n', title);
    const { content } = await look(body.id);
    expect(content).toMatch(new RegExp(`^\`\`\`(csv|tsv) title="${name}"\\na;b\\n1;2\\n`));
  });
});

describe('PUT /api/share/{id} of a picture', () => {
  it('keeps it beside a text, and as it is without one', async () => {
    const { body } = await send('image/png', png, 'mill.png');
    const { put } = sharesOf(ann);
    expect(await put(body.id, { title: 'A mill' })).toMatchObject({ status: 200 });
    expect(await look(body.id)).toMatchObject({ main: 'mill.png', title: 'A mill' });
    const share = await look(body.id);
    expect(await put(body.id, share)).toMatchObject({ status: 200 });
    expect(await look(body.id)).toMatchObject({ main: 'mill.png', version: share.version });
    const content = '# The mill\n\n![mill.png](mill.png)\n';
    expect(await put(body.id, { content })).toMatchObject({ status: 200 });
    expect(await look(body.id)).toMatchObject({
      ...{ content, main: 'index.md' },
      files: [{ path: 'index.md' }, { path: 'mill.png', type: 'image/png' }],
    });
  });
});
