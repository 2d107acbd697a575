import { describe, expect, it } from 'vitest';
import { open as openForm, share, usePages } from '../../../support/pages/served-pages.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { open, page, tokenIn } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();
const { service } = usePages();
const { ann } = useNewPeople({ ann: newPerson });

const content =
  '# [Home](https://example.com/home)\n\n[Out](https://example.com/?a&b "T") <https://example.com> [mail](mailto:a@example.com) [in](#then) [share](/s/other) a[^1]\n\n## Then\n\n[^1]: b';
const newTab = ' target="_blank" rel="noopener"';
const outward = [
  `<a href="https://example.com/home"${newTab}>Home</a>`,
  `<a href="https://example.com/?a&amp;b" title="T"${newTab}>Out</a>`,
  `<a class="bare" href="https://example.com"${newTab}>`,
  `<a href="mailto:a@example.com"${newTab}>`,
  `<a href="/s/other"${newTab}>`,
];

const expectNewTabs = (text: string): void => {
  for (const link of outward) expect(text).toContain(link);
  expect(text).toContain('<a href="#then">in</a>');
  expect(text.split(newTab)).toHaveLength(outward.length + 1);
};

describe('the links of a Markdown share', () => {
  it.each([
    ['a view limit', { viewLimit: 5 }, undefined],
    ['a password', { password: 'abc123' }, 'abc123'],
  ])('open new tabs with %s, because coming back would ask again', async (_, options, password) => {
    const { id } = await share({ content, language: 'markdown', ...options }, ann);
    expectNewTabs((await service(await openForm(id, password))).text);
  });

  it('open new tabs with a recipient link', async () => {
    const id = await sharesOf(ann).newShare({ content, language: 'markdown' });
    const link = (await linksOf(ann).addLink(id, { label: 'Mei' })).body.id as string;
    const opened = await open(link);
    expectNewTabs((await page(link, tokenIn(opened))).body);
  });

  it('open in the same tab once anyone can read it again', async () => {
    const { id } = await share({ content, language: 'markdown', viewLimit: 5 }, ann);
    await sharesOf(ann).put(id, { viewLimit: null });
    const { text } = await service(`/s/${id}`);
    expect(text).toContain('<a href="https://example.com/?a&amp;b" title="T">Out</a>');
    expect(text).not.toContain('_blank');
  });

  it('lead from a saved page to other shares', async () => {
    const { id } = await share({ content, language: 'markdown' }, ann);
    const { text } = await service(`/s/${id}/raw?download=page`);
    expect(text).toMatch(/<a href="https?:\/\/[^"]+\/s\/other">share<\/a>/);
    expect(text).toContain('<a href="#then">in</a>');
  });
});

describe('the pictures of a Markdown share', () => {
  const picture =
    '<picture><source media="(prefers-color-scheme: dark)" srcset="https://a.example/dark.png"><source media="(prefers-color-scheme:light)" srcset="https://a.example/light.png"><img src="https://a.example/any.png" alt="A"></picture>';
  const mediaIn = (text: string) =>
    Array.from(text.matchAll(/<source media="([^"]*)"/g), ([, media]) => media);

  it('follow the colors that a reader chose, and else those of the system', async () => {
    const { id } = await share({ content: picture, language: 'markdown' }, ann);
    const media = async (cookie: string) => mediaIn((await service(`/s/${id}`, { cookie })).text);
    expect(await media('a=b')).toEqual([
      '(prefers-color-scheme: dark)',
      '(prefers-color-scheme:light)',
    ]);
    expect(await media('theme=dark')).toEqual(['(min-width: 0)', '(max-width: 0)']);
    expect(await media('theme=light')).toEqual(['(max-width: 0)', '(min-width: 0)']);
  });

  it('follow the system in frames of other sites and in saved pages', async () => {
    const fields = { content: picture, language: 'markdown', embedOrigins: ['*'] };
    const { id } = await share(fields, ann);
    for (const path of [`/s/${id}/embed`, `/s/${id}/raw?download=page`]) {
      const { text } = await service(path, { cookie: 'theme=dark' });
      expect(mediaIn(text)[0]).toBe('(prefers-color-scheme: dark)');
    }
  });
});

describe('the title of a Markdown share', () => {
  it('has no words about an image that isn’t shown', async () => {
    const markdown = '# ![Logo](logo.png) Offer\n\n## ![](b.png) B\n\n## C';
    const { id } = await share({ content: markdown, language: 'markdown' }, ann);
    const { text } = await service(`/s/${id}`);
    expect(text).toContain('<title>Offer</title>');
    expect(text).toContain('<li><a href="#-b">B</a></li>');
    expect(text).toContain('Logo (not shown: images need an https address)');
  });
});
