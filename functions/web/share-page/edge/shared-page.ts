import { createSharedMemory, type Shared } from '../../../api/share/reading/admission.ts';
import type { Theme } from '../../layout/theme.ts';
import { composePage, type Page } from '../page.ts';

/** UTF-16 code units of all pages: 16 MB of the function's memory. */
const maxLength = 8 * 1024 * 1024;

const recall = createSharedMemory<Page | undefined>(maxLength, (page) => page?.html.length, {
  next: 'page',
});

/**
 * Finds a share and the page that is the same for everyone with these colors, if anyone can read it; up to 2 s old
 * (decisions.md#edge).
 * @throws AppError NOT_FOUND, GONE
 */
export const findSharedPage = (
  idOrSlug: string,
  theme: Theme | undefined,
): Promise<Shared<Page | undefined>> =>
  recall(
    idOrSlug,
    // The form that opens a share is made for each reader.
    async (admission) =>
      admission.reading === undefined
        ? undefined
        : composePage(admission, { theme, asksFirst: true }),
    theme,
  );
