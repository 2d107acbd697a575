import { notify } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { findModerators } from '../ending/notify.ts';
import { loadRequests } from './request.ts';

/** Notifies the moderators of a reported request: once for all reports that wait for the same decision. */
export const notifyOfReport = async (id: string): Promise<void> => {
  const [request] = await loadRequests([id]);
  // Already moderated or deleted.
  if (request?.reportedAt === undefined) return;
  await notify(
    await findModerators(),
    notificationTemplates.requestReported(id, request.title),
    `share-request-reported#${id}#${request.reportedAt}`,
  );
};
