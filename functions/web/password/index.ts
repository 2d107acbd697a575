import { createAuditRecorder } from '../../../shared/audit/audit-log.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import { routes } from './routes.ts';

export const handler = createHandler(routes, { createAuditRecorder });
