import { createChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { authenticate } from '../../../shared/auth/actor.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import * as limiter from '../../../shared/http/rate-limit.ts';
import { prepare } from '../../../shared/runtime/prepare.ts';
import { getCurrentKey } from '../../../shared/runtime/signing-keys.ts';
import { routes } from './routes.ts';

export const ready = prepare(documentClient, tableName, getCurrentKey);

export const handler = createHandler(routes, { authenticate, createChangeRecorder, limiter });
