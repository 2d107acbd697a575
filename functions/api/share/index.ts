import { createAuditRecorder } from '../../../shared/audit/audit-log.ts';
import { authenticate } from '../../../shared/auth/actor.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import * as idempotency from '../../../shared/http/idempotency/idempotency.ts';
import { readMultipart } from '../../../shared/http/multipart.ts';
import * as limiter from '../../../shared/http/rate-limit.ts';
import { routes } from './routes.ts';

export const handler = createHandler(routes, {
  authenticate,
  createAuditRecorder,
  limiter,
  idempotency,
  readMultipart,
});
