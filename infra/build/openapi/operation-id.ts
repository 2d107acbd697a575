import type { Route } from '../../../shared/http/route.ts';
import { toPascal } from './names.ts';

/** The names of operations that don't follow from the route, by endpoint. */
export const statedIds: Readonly<Record<string, string>> = {
  'POST /api/auth/register': 'register',
  'POST /api/auth/login': 'login',
  'POST /api/auth/refresh': 'refreshTokens',
  'POST /api/auth/logout': 'logout',
  'GET /api/auth/me': 'getCurrentUser',
  'POST /api/auth/forgot-password': 'requestPasswordReset',
  'POST /api/auth/reset-password': 'resetPassword',
  'DELETE /api/auth/sessions/{id}': 'revokeSession',
  'GET /api/auth/tokens': 'listApiTokens',
  'POST /api/auth/tokens': 'createApiToken',
  'DELETE /api/auth/tokens/{id}': 'revokeApiToken',
  'PUT /api/auth/password': 'changePassword',
  'GET /api/users/me': 'getProfile',
  'PUT /api/users/me': 'updateProfile',
  'POST /api/users/{id}/invitation': 'resendInvitation',
  'GET /api/users/{id}/sessions': 'listUserSessions',
  'DELETE /api/users/{id}/sessions': 'revokeUserSessions',
  'DELETE /api/users/{id}/sessions/{sessionId}': 'revokeUserSession',
  'GET /api/users/{id}/tokens': 'listUserApiTokens',
  'DELETE /api/users/{id}/tokens/{tokenId}': 'revokeUserApiToken',
  'GET /api/audit': 'listAuditEntries',
  'GET /api/documents/trash': 'listTrashedDocuments',
  'DELETE /api/documents/{id}': 'trashDocument',
  'GET /api/documents/names': 'listDocumentNames',
  'GET /api/documents/{id}/readers': 'listDocumentReaders',
  'DELETE /api/documents/trash/{id}': 'purgeDocument',
  'GET /api/files/usage': 'getFileUsage',
  'POST /api/files/upload': 'uploadFile',
  'POST /api/files/presign': 'presignUpload',
  'POST /api/files/{id}/complete': 'completeUpload',
  'PUT /api/files/{id}/thumbnail': 'updateThumbnail',
  'GET /api/files/{id}/thumbnail': 'getThumbnail',
  'GET /api/messages/unread-count': 'countUnreadMessages',
  'GET /api/messages/conversations/{id}': 'listConversationMessages',
  'GET /api/messages/{id}/attachments/{fileId}': 'downloadAttachment',
  'POST /api/messages': 'sendMessage',
  'PUT /api/messages/{id}/read': 'markMessageAsRead',
  'GET /api/notifications/unread-count': 'countUnreadNotifications',
  'GET /api/notifications/updates': 'getUpdates',
  'PUT /api/notifications/read-all': 'markAllNotificationsAsRead',
  'PUT /api/notifications/{id}/read': 'markNotificationAsRead',
  'PUT /api/calendar/events/{id}/attendance': 'respondToInvitation',
  'PUT /api/calendar/events/{id}/occurrences/{start}': 'updateOccurrence',
  'DELETE /api/calendar/events/{id}/occurrences/{start}': 'cancelOccurrence',
  'GET /api/calendar/feed': 'getCalendarFeed',
  'POST /api/calendar/feed': 'createCalendarFeed',
  'DELETE /api/calendar/feed': 'revokeCalendarFeed',
  'GET /calendar/{token}/events.ics': 'readCalendarFeed',
  'GET /api/dashboard/stats': 'getStatistics',
  'GET /api/dashboard/visits': 'getVisitsByDay',
  'GET /api/dashboard/sales': 'getSalesByMonth',
  'GET /api/dashboard/pie': 'getPieChart',
  'GET /api/dashboard/tasks': 'listOpenTasks',
  'GET /api/dashboard/calendar': 'listEventsOfToday',
  'GET /api/settings': 'getSettings',
  'POST /api/share': 'createShare',
  'GET /api/share': 'getShareOrListShares',
  'GET /api/share/summary': 'getSharesSummary',
  'GET /api/share/{id}/links': 'listShareLinks',
  'POST /api/share/{id}/links': 'createShareLink',
  'DELETE /api/share/{id}/links/{linkId}': 'revokeShareLink',
  'GET /api/share/{id}/revisions': 'listShareRevisions',
  'GET /api/share/{id}/revisions/{version}': 'getShareRevision',
  'GET /api/share/{id}/revisions/{version}/diff': 'compareShareRevisions',
  'POST /api/share/{id}/revisions/{version}/restore': 'restoreShareRevision',
  'GET /api/shares': 'listAllShares',
  'GET /api/shares/{id}': 'getShareForModeration',
  'PUT /api/shares/{id}/decision': 'moderateShare',
  'POST /api/markdown': 'convertMarkdown',
  'POST /api/checkin': 'checkIn',
  'GET /api/checkin': 'getCheckinState',
  'GET /api/health': 'checkHealth',
  'GET /health': 'checkHealthAtRoot',
  'GET /api/openapi.json': 'getOpenApiDocument',
  'GET /api/docs': 'showApiReference',
  'GET /api/docs/{group}': 'showApiReferenceGroup',
  'GET /api/docs/swagger-ui.css': 'getApiReferenceStyle',
  'GET /api/docs/swagger-ui-bundle.js': 'getApiReferenceScript',
  'GET /assets/styles/{file}': 'getStyle',
  'GET /assets/scripts/{file}': 'getScript',
  'GET /assets/fonts/{file}': 'getFont',
  'GET /assets/licences/{file}': 'getLicence',
  'GET /': 'showComposerPage',
  'GET /undo-email': 'showEmailUndoPage',
  'POST /undo-email': 'undoEmailChange',
  'GET /reset': 'showPasswordResetPage',
  'POST /reset': 'submitPasswordReset',
  'GET /invite': 'showInvitationPage',
  'POST /invite': 'submitInvitation',
  'GET /forgot': 'showForgotPasswordPage',
  'GET /shares': 'showSharesPage',
  'GET /documents': 'showDocumentsPage',
  'GET /documents/{id}': 'showDocumentPage',
  'GET /s/{id}': 'showSharePage',
  'GET /s/{id}/raw': 'getShareSource',
  'POST /s/{id}/open': 'openShare',
  'GET /s/{id}/embed': 'showEmbedPage',
  'GET /s/{id}/end': 'showEndPage',
  'POST /s/{id}/end': 'endShareAsReader',
  'GET /s/{id}/revisions': 'showRevisionsPage',
  'GET /s/{id}/revisions/{version}/raw': 'getRevisionSource',
  'GET /s/{id}/report': 'showReportPage',
  'POST /s/{id}/report': 'submitReport',
};

const verbs = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' } as const;

/**
 * Returns the name that a generated client gives to the operation: `GET /api/documents` is `listDocuments`,
 * `PUT /api/documents/{id}` is `updateDocument`, `POST /api/documents/{id}/share` is `shareDocument`, and `GET /login` is
 * `showLoginPage`.
 */
export const operationId = ({ method, path }: Route): string => {
  const stated = statedIds[`${method} ${path}`];
  if (stated !== undefined) return stated;
  const segments = path.split('/').slice(1);
  const last = segments.at(-1) ?? '';
  if (segments[0] !== 'api') return `show${toPascal(last)}Page`;
  const isOfOne = segments.includes('{id}');
  const collection = toPascal((isOfOne ? segments[segments.indexOf('{id}') - 1] : last) ?? '');
  if (method === 'GET' && !isOfOne) return `list${collection}`;
  const verb = isOfOne && last !== '{id}' ? last : verbs[method];
  return `${verb}${collection.replace(/s$/, '')}`;
};
