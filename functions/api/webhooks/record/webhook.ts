import type { StoredUser } from '../../../../shared/auth/user.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { allOwnEvents, isOwnEvent, testEvent } from '../../../../shared/webhooks/events.ts';
import type { WebhookFormat } from '../../../../shared/webhooks/payload.ts';

/** The most webhooks of a user. */
export const maxWebhooks = 20;

/** How long a webhook fails, without a success, before it is paused (ms). */
export const pausedAfterMs = 3 * 86_400_000;

/** Why a webhook is paused: by its owner, after three days of failures, or because its host said that it is gone (410). */
export const pauseReasons = ['owner', 'failures', 'gone'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** The last try of a delivery. */
export interface StoredTry {
  /** ISO 8601. */
  readonly at: string;
  /** Whether the host took it. */
  readonly isDelivered: boolean;
  /** The HTTP status, if there was an answer. */
  readonly httpStatus?: number;
  /** Why there was none: a text for people. */
  readonly reason?: string;
  readonly ms: number;
}

/** A webhook as stored, without keys. */
export interface StoredWebhook {
  readonly id: number;
  readonly userId: number;
  /** The path of an address can be a secret, such as that of a chat tool: it is in no log and no audit entry. */
  readonly url: string;
  readonly label?: string;
  /** Own events or `*` for all, and names of the audit. */
  readonly events: readonly string[];
  readonly format: WebhookFormat;
  /** What requests are signed with: `whsec_` and Base64. */
  readonly secret: string;
  /** The one before, with which they are signed, too, until a time (ISO 8601). */
  readonly formerSecret?: { readonly secret: string; readonly until: string };
  /** The user's `tokenEpoch` at creation: what ends all API tokens ends webhooks (decisions.md#webhooks). */
  readonly epoch: number;
  /** Absent while it is active. */
  readonly pausedBy?: PauseReason;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** Failed tries since the last success. Absent: none. This and what follows changes with deliveries, without a version. */
  readonly failures?: number;
  /** When the first of these failed (ISO 8601). */
  readonly failingSince?: string;
  readonly lastTry?: StoredTry;
  /** When a host last took one (ISO 8601). Absent before the first time. */
  readonly succeededAt?: string;
  /** How slow its last tries were: each slow one adds 2, each quick one takes 1. Absent: none was. */
  readonly slow?: number;
  /** Until when nothing is tried after slow ones, or many failures in a row (ms since 1970). */
  readonly restsUntil?: number;
}

export const parseWebhook = itemParser<StoredWebhook>('webhook', [
  'id',
  'userId',
  'url',
  'events',
  'secret',
  'version',
]);

/** Returns whether a webhook hasn't ended with the API tokens of its user. */
export const isCurrent = ({ epoch }: StoredWebhook, { tokenEpoch = 0 }: StoredUser): boolean =>
  epoch === tokenEpoch;

export const isActive = ({ pausedBy }: StoredWebhook): boolean => pausedBy === undefined;

/** Returns whether a type is one of the audit's names. */
export const isAuditName = (type: string): boolean =>
  type !== allOwnEvents && type !== testEvent && !isOwnEvent(type);

/** Returns the names of the audit among events. */
export const listAuditNames = (events: readonly string[]): string[] => events.filter(isAuditName);

/** Returns whether a webhook wants events of a type. */
export const wants = ({ events }: StoredWebhook, type: string): boolean =>
  type === testEvent ||
  events.includes(type) ||
  (isOwnEvent(type) && events.includes(allOwnEvents));

/** Returns the host of the address, which may be shown and logged. */
export const getHost = ({ url }: Pick<StoredWebhook, 'url'>): string => new URL(url).host;

/** What begins anew when a webhook is resumed. A host that was slow stays so until it is quick. */
export const nothingFailed = {
  failures: undefined,
  failingSince: undefined,
  restsUntil: undefined,
} as const;
