import { createPublicHandler } from '../../shared/api.ts';
import { routes } from './routes.ts';

export const handler = createPublicHandler(routes);
