import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import { prepare } from '../../../shared/runtime/prepare.ts';
import { getCurrentKeys } from '../../../shared/runtime/signing-keys.ts';
import { routes } from './routes.ts';

prepare(documentClient, tableName, getCurrentKeys);

export const handler = createHandler(routes);
