import { toInteger } from '../../browser/data/query.ts';

/** The parts of the account page. */
export const tabs = [
  'profile',
  'security',
  'tokens',
  'assistants',
  'webhooks',
  'check-in',
] as const;

export type Tab = (typeof tabs)[number];

/** How an assistant is connected. */
export const connectionWays = ['address', 'command', 'token'] as const;

export type ConnectionWay = (typeof connectionWays)[number];

/** The parts of an open webhook. */
export const webhookParts = ['deliveries', 'settings'] as const;

export type WebhookPart = (typeof webhookParts)[number];

/** The state of the account page. */
export interface View {
  readonly tab: Tab;
  /** Whether the form of a new API token, or of a new webhook, is open. */
  readonly isCreating: boolean;
  /** The chosen way to connect an assistant; by default, its address. */
  readonly by?: ConnectionWay | undefined;
  /** The id of the open webhook. */
  readonly open?: number | undefined;
  /** What is shown of the open webhook; by default, its deliveries. */
  readonly part?: WebhookPart | undefined;
}

/** Parses the query of the page. */
export const parseView = (query: URLSearchParams): View => {
  const asked = query.get('tab');
  // The sessions had a part of their own once, whose address may be kept.
  const tab =
    asked === 'sessions' ? 'security' : (tabs.find((name) => name === asked) ?? 'profile');
  const by = connectionWays.find((way) => tab === 'assistants' && way === query.get('by'));
  const isCreating = (tab === 'tokens' || tab === 'webhooks') && query.has('new');
  const canOpen = tab === 'webhooks' && !isCreating;
  const open = canOpen ? toInteger(query.get('open')) : undefined;
  const part = webhookParts.find((name) => open !== undefined && name === query.get('part'));
  return { tab, isCreating, by, open, part };
};

/** Returns path and query of a view. */
export const toUrl = ({ tab, isCreating, by, open, part }: View): string => {
  if (tab === 'profile') return '/account';
  const isDefault = by === undefined || by === 'address';
  const ofWebhook = open === undefined ? '' : `&open=${open}`;
  const ofPart = open === undefined || part !== 'settings' ? '' : '&part=settings';
  return `/account?tab=${tab}${isCreating ? '&new' : ''}${isDefault ? '' : `&by=${by}`}${ofWebhook}${ofPart}`;
};
