import { ApiError } from '../../../../../browser/client/api-error.ts';
import { confirm } from '../../../../../browser/components/dialog.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { dataTexts as texts } from '../../../data-texts.ts';
import type { Export } from './state.ts';
import { exports, getName, hide, isOpen, show } from './state.ts';

/** The id of the title of the card, which gets the focus when a row goes. */
export const cardId = 'your-data';

/** Asks for all of the user's own data. */
export const request = async (): Promise<string> => {
  show(await api.call('POST /api/users/me/export'));
  return texts.requested;
};

/** Downloads a file, after the user has proven who they are where the service asks for that. */
export const download = async ({ id }: Export): Promise<string> => {
  try {
    const { url } = await api.call('POST /api/users/me/exports/{id}/download', {
      params: { id },
      body: {},
    });
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
    return texts.started;
  } catch (error) {
    // It has expired, or another tab deleted it.
    if (error instanceof ApiError && error.status === 404) void exports.load();
    throw error;
  }
};

/** Ends an export that waits, or deletes one that is ready once the user agrees. */
export const remove = async (one: Export): Promise<string | undefined> => {
  const isReady = one.status === 'ready';
  const isAgreed =
    !isReady ||
    (await confirm({
      title: texts.confirmDelete(getName(one)),
      text: texts.confirmDeleteText,
      action: texts.delete,
    }));
  if (!isAgreed) return undefined;
  try {
    await api.call('DELETE /api/users/me/exports/{id}', { params: { id: one.id } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  document.getElementById(cardId)?.focus();
  hide(one);
  if (isReady) return texts.deleted;
  return isOpen(one) ? texts.canceled : texts.removed;
};
