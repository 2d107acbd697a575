import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { assetPath } from '../../../functions/web/layout/asset.ts';
import { cardPaths, cardSize, hashCardSource, maxCardBytes } from '../../support/card/card.ts';
import { readPng } from '../../support/card/png.ts';
import { cardTags, findPreviewTags } from '../../support/card/tags.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
// Where assets of other builds are.
useBucket();
useJobs();
const { ann } = usePeople({ ann: 'user' });
afterEach(() => vi.unstubAllEnvs());

const picture = readFileSync(cardPaths.picture);

describe('the image of link previews', () => {
  it('has the size that previews ask for, is small, and is of its current source', () => {
    const { width, height, text } = readPng(picture);
    expect({ width, height }).toEqual(cardSize);
    expect(picture.length).toBeLessThanOrEqual(maxCardBytes);
    // `npm run pictures -- --card` renders it.
    expect(text['Source']).toBe(hashCardSource());
  });

  it('has a hash in its name and is cached permanently', async () => {
    const path = assetPath('card.png');
    expect(path).toMatch(/^\/assets\/images\/card\.[0-9a-f]{8}\.png$/);
    const [file = ''] = path.split('/').slice(-1);
    const answer = await call('GET /assets/images/{file}', { params: { file } });
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(answer.body, 'base64').equals(picture)).toBe(true);
    for (const other of ['card.00000000.png', 'inter.woff2', '..%2Fcard.png']) {
      const { status } = await call('GET /assets/images/{file}', { params: { file: other } });
      expect(status, other).toBe(404);
    }
  });
});

describe('a preview of a link', () => {
  const tagsOf = async (endpoint: string, id = '') => {
    const options = { ...(id !== '' && { params: { id } }), headers: { accept: 'text/html' } };
    return findPreviewTags(String((await call(endpoint, options)).body));
  };
  const share = (fields: object) =>
    sharesOf(ann).newShare({ content: '# Plan', language: 'markdown', ...fields });

  it('shows the image, for an open share with its title and description', async () => {
    const tags = await tagsOf('GET /s/{id}', await share({ description: 'For May' }));
    expect(tags).toContain('<meta property="og:title" content="Plan">');
    expect(tags).toContain('<meta property="og:description" content="For May">');
    expect(tags.slice(-cardTags.length)).toEqual(cardTags);
  });

  it.each<[string, object]>([
    ['a password', { password: 'Abc123' }],
    ['a view limit', { viewLimit: 2 }],
    ['one reader', { audience: 'private' }],
  ])('shows nothing else for a share with %s', async (_, fields) => {
    const id = await share({ description: 'For May', title: 'Offer', ...fields });
    expect(await tagsOf('GET /s/{id}', id)).toEqual(cardTags);
    expect(await tagsOf('GET /s/{id}/report', id)).toEqual(cardTags);
  });

  it('shows nothing else for a link to one recipient, a request or an unknown address', async () => {
    const id = await share({});
    const { status, body: link } = await linksOf(ann).addLink(id);
    expect(status).toBe(201);
    expect(await tagsOf('GET /s/{id}', link.id)).toEqual(cardTags);
    const { status: made, body: request } = await call('POST /api/share/requests', {
      token: ann.token,
      body: { title: 'Photos of May', expiresIn: 86_400 },
    });
    expect(made).toBe(201);
    expect(await tagsOf('GET /r/{id}', request.id)).toEqual(cardTags);
    expect(await tagsOf('GET /s/{id}', 'nothing')).toEqual(cardTags);
  });

  it('shows it for the front page, whose address people paste, but not in the console', async () => {
    expect(await tagsOf('GET /')).toEqual(cardTags);
    const signedIn = await call('GET /', { token: ann.token });
    expect(findPreviewTags(String(signedIn.body))).toEqual([]);
  });
});
