import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import type { Route } from '../../shared/http/route.ts';

const code = (value: string): string => (value.includes(':') ? `\`${value}\`` : value);

/** Returns who may call a route, and what an API token needs. */
const who = ({ access, accessByRecord, scope }: Route): string => {
  if (scope !== undefined) return `${access}, token: ${code(scope)}`;
  return accessByRecord === undefined
    ? code(access)
    : `${code(access)}, or ${code(accessByRecord)} and a role`;
};

/** Returns every route as a row of a Markdown table, in the order of the code. */
export const formatRoutesTable = (): string => {
  const rows = (Object.keys(hosts) as Host[]).flatMap((host) =>
    listRoutes(host).map((route) => {
      const where = host === 'service' ? '' : " (the snippets' host)";
      return `| \`${route.method} ${route.path}\`${where} | ${who(route)} | ${route.summary} |`;
    }),
  );
  return ['| Route | Who | What |', '|---|---|---|', ...rows].join('\n');
};
