/** The parts of the account page. */
export const tabs = ['profile', 'security', 'tokens', 'assistants', 'check-in'] as const;

export type Tab = (typeof tabs)[number];

/** How an assistant is connected. */
export const connectionWays = ['address', 'command', 'token'] as const;

export type ConnectionWay = (typeof connectionWays)[number];

/** The state of the account page. */
export interface View {
  readonly tab: Tab;
  /** Whether the form of a new API token is open. */
  readonly isCreating: boolean;
  /** The chosen way to connect an assistant; by default, its address. */
  readonly by?: ConnectionWay | undefined;
}

/** Parses the query of the page. */
export const parseView = (query: URLSearchParams): View => {
  const asked = query.get('tab');
  // The sessions had a part of their own once, whose address may be kept.
  const tab =
    asked === 'sessions' ? 'security' : (tabs.find((name) => name === asked) ?? 'profile');
  const by = connectionWays.find((way) => tab === 'assistants' && way === query.get('by'));
  return { tab, isCreating: tab === 'tokens' && query.has('new'), by };
};

/** Returns path and query of a view. */
export const toUrl = ({ tab, isCreating, by }: View): string => {
  if (tab === 'profile') return '/account';
  const isDefault = by === undefined || by === 'address';
  return `/account?tab=${tab}${isCreating ? '&new' : ''}${isDefault ? '' : `&by=${by}`}`;
};
