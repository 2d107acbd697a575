import { authenticate } from '../../../shared/auth/actor.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import { routes } from './routes.ts';

export const handler = createHandler(routes, { authenticate });
