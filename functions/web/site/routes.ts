import { routes as account } from './account/routes.ts';
import { routes as composer } from './composer/routes.ts';
import { routes as dashboard } from './dashboard/routes.ts';
import { routes as files } from './files/routes.ts';
import { routes as moderation } from './moderation/routes.ts';
import { routes as shares } from './shares/routes.ts';

/** The routes of the site. Its pages load their data from the API. */
export const routes = [...composer, ...shares, ...files, ...dashboard, ...account, ...moderation];
