import { createShortMemory } from '../../../../shared/runtime/short-memory.ts';
import { findReading } from '../../../api/share/reading/access.ts';
import { readText, readWithOwner } from '../../../api/share/reading/reading.ts';
import { readAuthor } from '../../../api/share/record/owner.ts';
import { resolveShareId } from '../../../api/share/record/slugs.ts';
import type { Theme } from '../../layout/theme.ts';
import { renderShare } from '../share-page.ts';

/** A share and, if anyone can read it, the page that is the same for everyone with these colors. */
interface FoundPage {
  readonly found: Awaited<ReturnType<typeof readWithOwner>>;
  readonly body: string | undefined;
}

/** UTF-16 code units of all pages: 16 MB of the function's memory. */
const maxLength = 8 * 1024 * 1024;

const remember = createShortMemory<FoundPage>(maxLength, ({ body }) => body?.length);

const load = async (idOrSlug: string, theme: Theme | undefined): Promise<FoundPage> => {
  const found = await readWithOwner(await resolveShareId(idOrSlug));
  if ((await findReading(found, undefined)) === undefined) return { found, body: undefined };
  const { share } = found;
  const [author, rendered] = await Promise.all([
    readAuthor(found),
    share.language === 'markdown' ? readText(found, 'page') : undefined,
  ]);
  const body = renderShare(
    {
      ...found,
      author,
      view: undefined,
      link: undefined,
      isOwner: false,
      isShared: true,
      theme,
      endToken: undefined,
    },
    rendered,
  );
  return { found, body };
};

/**
 * Finds a share and its page for everyone, up to 2 s old (decisions.md#edge).
 * @throws AppError NOT_FOUND, GONE
 */
export const findSharedPage = (idOrSlug: string, theme: Theme | undefined): Promise<FoundPage> =>
  remember(`${idOrSlug} ${theme}`, () => load(idOrSlug, theme));
