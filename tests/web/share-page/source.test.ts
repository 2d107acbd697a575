import { describe, expect, it } from 'vitest';
import { open, share, usePages } from '../../support/pages/served-pages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { randomText } from '../../support/shares/contents.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
const { service } = usePages();

const data = /<script type="application\/json" data-source>([^<]*)<\/script>/;

/** Opens a share and returns the source in its page, and whether the page fetches it. */
const openedWith = async (body: Readonly<Record<string, unknown>>) => {
  const { id } = await share(body, await newPerson());
  const { status, text } = await service(await open(id));
  expect(status).toBe(200);
  const [, json] = text.match(data) ?? [];
  return {
    source: json === undefined ? undefined : JSON.parse(json),
    isFetched: text.includes('data-fetches-now'),
  };
};

describe('the source of a limited share', () => {
  it.each(['html', 'markdown'])(
    'is included in the page, which needs no request: %s',
    async (language) => {
      const content =
        '\n\r\n<b>bold</b>\t</script><!-- <script> -->\u2028 & &amp; "quoted" \\u003c 🎉\r';
      expect(await openedWith({ content, language, viewLimit: 2 })).toEqual({
        source: content,
        isFetched: false,
      });
    },
  );

  it('cannot end the script of the page', async () => {
    const { id } = await share(
      { content: '</script><b id="out">', viewLimit: 2 },
      await newPerson(),
    );
    const { text } = await service(await open(id));
    expect(text).not.toContain('<b id="out">');
    expect(text).toContain('\\u003c/script>\\u003cb id=');
  });

  it.each([
    ['is long', 'x'.repeat(64 * 1_024 + 1)],
    ['lies in the bucket', randomText(32 * 1_024)],
  ])('is fetched by the page if it %s', async (_, content) => {
    expect(await openedWith({ content, viewLimit: 2 })).toEqual({
      source: undefined,
      isFetched: true,
    });
  });

  it('is not included for unlimited shares or in the open form', async () => {
    const ann = await newPerson();
    const anybodys = await share({ content: 'Anybody’s' }, ann);
    const limited = await share({ content: 'Few have it', viewLimit: 2 }, ann);
    for (const { id } of [anybodys, limited]) {
      const { text } = await service(`/s/${id}`);
      expect(text).not.toMatch(data);
      expect(text).not.toContain('data-fetches-now');
    }
  });
});
