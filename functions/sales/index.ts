import { authenticate } from '../../shared/actor.ts';
import { createHandler } from '../../shared/api.ts';
import { newChange } from '../../shared/change.ts';
import * as repeats from '../../shared/idempotency.ts';
import { routes } from './routes.ts';

export const handler = createHandler(routes, { authenticate, newChange, repeats });
