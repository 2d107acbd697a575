import { notifyEach } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { findModerators, tellOfReport } from '../ending/notify.ts';
import { loadRequests } from './request.ts';

/** Notifies the moderators of a reported request: once for all reports that wait for the same decision. */
export const notifyOfReport = async (id: string): Promise<void> => {
  const [request] = await loadRequests([id]);
  // Already moderated or deleted.
  if (request?.reportedAt === undefined) return;
  const { title, reportedAt, reports = 1 } = request;
  await notifyEach(
    await findModerators(),
    tellOfReport(notificationTemplates.requestReported(id, title), {
      kind: 'request',
      id,
      reports,
      reportedAt,
    }),
    `share-request-reported#${id}#${reportedAt}`,
  );
};
