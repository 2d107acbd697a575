import { ApiError } from '../../../../browser/client/api-error.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { talkTexts as texts } from '../../talk-texts.ts';

/** Downloads an attachment, or says why it can’t be. */
export const downloadAttachment = async (id: number, fileId: number): Promise<void> => {
  const params = { id, fileId };
  const endpoint = 'GET /api/messages/{id}/attachments/{fileId}';
  try {
    // It redirects to storage, whose response scripts can’t read: the browser follows.
    await api.call(endpoint, { params });
    location.assign(api.url(endpoint, { params }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      toast({ text: texts.attachmentGone, kind: 'bad' });
    } else showFailure((error as Error).message, () => downloadAttachment(id, fileId));
  }
};
