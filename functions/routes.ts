import type { Host } from '../shared/http/host.ts';
import type { Route } from '../shared/http/route.ts';
import { routes as audit } from './api/audit/routes.ts';
import { routes as auth } from './api/auth/routes.ts';
import { routes as calendar } from './api/calendar/routes.ts';
import { routes as checkin } from './api/checkin/routes.ts';
import { routes as dashboard } from './api/dashboard/routes.ts';
import { routes as documents } from './api/documents/routes.ts';
import { routes as files } from './api/files/routes.ts';
import { routes as health } from './api/health/routes.ts';
import { routes as markdown } from './api/markdown/routes.ts';
import { routes as messages } from './api/messages/routes.ts';
import { routes as notifications } from './api/notifications/routes.ts';
import { routes as sales } from './api/sales/routes.ts';
import { routes as share } from './api/share/routes.ts';
import { routes as users } from './api/users/routes.ts';
import { routes as assets } from './web/assets/routes.ts';
import { routes as docs } from './web/docs/routes.ts';
import { routes as pages } from './web/share-page/routes.ts';
import { routes as account } from './web/site/account/routes.ts';
import { routes as composer } from './web/site/routes.ts';
import { routes as snippet } from './web/snippet/routes.ts';

type Groups = Readonly<Record<string, readonly Route[]>>;

/** Every endpoint, by the group that serves it, by the host it is on; a group is one folder and one function. */
export const hosts = {
  service: {
    auth,
    users,
    audit,
    documents,
    files,
    messages,
    notifications,
    calendar,
    sales,
    dashboard,
    share,
    markdown,
    checkin,
    composer,
    pages,
    account,
    assets,
    docs,
    health,
  },
  snippets: { snippet },
} as const satisfies Record<Host, Groups>;

/** Where the groups that answer pages are; every other one is a folder of `api`. */
const webFolders: Readonly<Record<string, string>> = {
  composer: 'web/site',
  account: 'web/site/account',
  pages: 'web/share-page',
  assets: 'web/assets',
  docs: 'web/docs',
  snippet: 'web/snippet',
  fallback: 'web/fallback',
};

/** The folder of a function below `functions`, by the name of its group; also of the jobs and the fallback. */
export const folderOf = (name: string): string =>
  name === 'jobs' ? name : (webFolders[name] ?? `api/${name}`);

/** Every route of a host. */
export const routesOf = (host: Host): readonly Route[] =>
  Object.values<readonly Route[]>(hosts[host]).flat();
