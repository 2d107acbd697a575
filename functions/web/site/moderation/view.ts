import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

/** Reported shares or share requests that wait for a decision, or all shares. */
export const lists = ['reported', 'requests', 'all'] as const;

/** The state of the moderation page. */
export interface View {
  readonly list: (typeof lists)[number];
  /** The id of the user whose shares are listed, of all shares. */
  readonly owner: number | undefined;
  /** The id of the share or the request that is open. */
  readonly open: string | undefined;
}

/** Parses the query of the page. */
export const parseView = (query: URLSearchParams): View => {
  const owner = toInteger(query.get('owner'));
  return {
    list: owner === undefined ? chooseOne(lists, query.get('list')) : 'all',
    owner,
    open: query.get('open') ?? undefined,
  };
};

/** Returns path and query of a view. */
export const toUrl = ({ list, owner, open }: View): string =>
  writeUrl('/moderation', {
    list: list === 'reported' || owner !== undefined ? undefined : list,
    owner,
    open,
  });
