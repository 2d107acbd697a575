/** The parts of the account page. */
export const tabs = ['profile', 'security', 'sessions', 'tokens', 'check-in'] as const;

export type Tab = (typeof tabs)[number];

/** The state of the account page. */
export interface View {
  readonly tab: Tab;
  /** Whether the form of a new API token is open. */
  readonly isCreating: boolean;
}

/** Parses the query of the page. */
export const parseView = (query: URLSearchParams): View => {
  const asked = query.get('tab');
  const tab = tabs.find((name) => name === asked) ?? 'profile';
  return { tab, isCreating: tab === 'tokens' && query.has('new') };
};

/** Returns path and query of a view. */
export const toUrl = ({ tab, isCreating }: View): string => {
  if (tab === 'profile') return '/account';
  return `/account?tab=${tab}${isCreating ? '&new' : ''}`;
};
