import type { Host } from '../shared/http/host.ts';
import type { Route } from '../shared/http/route.ts';
import { routes as apps } from './api/apps/routes.ts';
import { routes as audit } from './api/audit/routes.ts';
import { routes as auth } from './api/auth/routes.ts';
import { routes as calendar } from './api/calendar/routes.ts';
import { routes as checkin } from './api/checkin/routes.ts';
import { routes as dashboard } from './api/dashboard/routes.ts';
import { routes as documents } from './api/documents/routes.ts';
import { routes as files } from './api/files/routes.ts';
import { routes as health } from './api/health/routes.ts';
import { routes as markdown } from './api/markdown/routes.ts';
import { routes as mcp } from './api/mcp/routes.ts';
import { routes as messages } from './api/messages/routes.ts';
import { routes as notifications } from './api/notifications/routes.ts';
import { routes as sales } from './api/sales/routes.ts';
import { routes as settings } from './api/settings/routes.ts';
import { routes as share } from './api/share/routes.ts';
import { routes as users } from './api/users/routes.ts';
import { routes as webhooks } from './api/webhooks/routes.ts';
import { routes as assets } from './web/assets/routes.ts';
import { routes as docs } from './web/docs/routes.ts';
import { routes as password } from './web/password/routes.ts';
import { routes as providerSignIn } from './web/provider-sign-in/routes.ts';
import { routes as requestPage } from './web/request-page/routes.ts';
import { routes as sharePage } from './web/share-page/routes.ts';
import { routes as site } from './web/site/routes.ts';
import { routes as snippet } from './web/snippet/routes.ts';

type Groups = Readonly<Record<string, readonly Route[]>>;

/** All endpoints by host, kind (`api` or `web`) and group. Each group is one folder and one Lambda function. */
export const hosts = {
  service: {
    api: {
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
      settings,
      share,
      markdown,
      checkin,
      apps,
      webhooks,
      mcp,
      health,
    },
    web: {
      site,
      password,
      'provider-sign-in': providerSignIn,
      'share-page': sharePage,
      'request-page': requestPage,
      assets,
      docs,
    },
  },
  snippets: { web: { snippet } },
} as const satisfies Record<Host, Readonly<Partial<Record<'api' | 'web', Groups>>>>;

type KeysOf<Value> = Value extends unknown ? keyof Value : never;

/** The name of a group, of any host or of one. */
export type GroupName<On extends Host = Host> = {
  [H in On]: KeysOf<(typeof hosts)[H][keyof (typeof hosts)[H]]>;
}[On];

/** The routes of one function. */
export interface Group {
  readonly name: GroupName;
  /** The folder below `functions`, for example `api/auth`. */
  readonly folder: string;
  readonly routes: readonly Route[];
}

/** Lists the groups of a host. */
export const listGroups = (host: Host): readonly Group[] =>
  Object.entries<Groups>(hosts[host]).flatMap(([kind, groups]) =>
    Object.entries(groups).map(([name, routes]) => ({
      name: name as GroupName,
      folder: `${kind}/${name}`,
      routes,
    })),
  );

/** Lists the routes of a host. */
export const listRoutes = (host: Host): readonly Route[] =>
  listGroups(host).flatMap(({ routes }) => routes);
