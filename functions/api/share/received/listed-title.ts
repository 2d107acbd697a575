import { requiresView } from '../reading/access.ts';
import { getTitle, type StoredShare } from '../record/share.ts';

/**
 * Returns the title that those see in their list, and in a notification, with whom a share is shared: the given one. That of
 * its content is shown where the content takes no password and no view.
 */
export const getListedTitle = (share: StoredShare): string | undefined =>
  requiresView(share) ? share.title : getTitle(share);
