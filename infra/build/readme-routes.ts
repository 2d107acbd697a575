import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';

const start = '<!-- routes: made by `npm run generate` -->';
const end = '<!-- end of routes -->';

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

/**
 * Returns the README of `functions` with a new table of routes.
 * @throws Error when the marks of the table are missing
 */
export const withRoutes = (readme: string): string => {
  const [before, rest] = readme.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined)
    throw new Error('functions/README.md has no place for the table of routes');
  return `${before}${start}\n${formatRoutesTable()}\n${end}${after}`;
};
