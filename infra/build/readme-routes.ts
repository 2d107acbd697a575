import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';

const access = (value: string): string => (value.includes(':') ? `\`${value}\`` : value);

/** Returns every route as a row of a Markdown table, in the order of the code. */
export const formatRoutesTable = (): string => {
  const rows = (Object.keys(hosts) as Host[]).flatMap((host) =>
    listRoutes(host).map((route) => {
      const where = host === 'service' ? '' : " (the snippets' host)";
      return `| \`${route.method} ${route.path}\`${where} | ${access(route.access)} | ${route.summary} |`;
    }),
  );
  return ['| Route | Who | What |', '|---|---|---|', ...rows].join('\n');
};
