import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { tombstoneRetentionMs } from '../record/share.ts';
import type { StoredPassword } from '../record/share-password.ts';
import { requestKeys } from './keys.ts';

/** How long a request is open if its owner doesn't say: 7 days. */
export const defaultOpenSeconds = 7 * 86_400;

/** What was handed in. */
export interface Submission {
  readonly shareId: string;
  /** By which the visitor can refer to it. */
  readonly receipt: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A share request as stored, without its keys: someone without an account hands content to its owner. */
export interface StoredRequest {
  readonly id: string;
  readonly ownerId: number;
  readonly title: string;
  readonly note?: string;
  /** How many it takes, and how many it has taken, also those whose shares are deleted since. */
  readonly submissions: number;
  readonly taken: number;
  /** What it has taken, by the claim of each: one that is sent again is known by it. */
  readonly submitted: Readonly<Record<string, Submission>>;
  readonly password?: StoredPassword;
  readonly expiresAt: string;
  /** Set while its owner has closed it. */
  readonly closedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  readonly takenDownAt?: string;
  /** The number of reports since the last decision, and the time of the first. */
  readonly reports?: number;
  readonly reportedAt?: string;
  /** The number of all reports. */
  readonly totalReports?: number;
}

/** Parses a stored share request. */
export const parseRequest = itemParser<StoredRequest>('share request', [
  'id',
  'ownerId',
  'submitted',
  'version',
]);

export const requestStatuses = ['open', 'full', 'expired', 'closed', 'taken-down'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** Returns whether a request takes content, and what keeps it from that. */
export const getRequestStatus = (request: StoredRequest): RequestStatus => {
  if (request.takenDownAt !== undefined) return 'taken-down';
  if (request.closedAt !== undefined) return 'closed';
  if (request.taken >= request.submissions) return 'full';
  return Date.parse(request.expiresAt) <= Date.now() ? 'expired' : 'open';
};

export const requestNotFound = () => new AppError('NOT_FOUND', 'Share request not found.');

const goneMessages: Readonly<Record<Exclude<RequestStatus, 'open'>, string>> = {
  full: 'This request is complete.',
  expired: 'This request has expired.',
  closed: 'This request is closed.',
  'taken-down': 'This request was taken down.',
};

/** Creates the error of a request that takes nothing more. */
export const requestGone = (status: Exclude<RequestStatus, 'open'>): AppError =>
  new AppError('GONE', goneMessages[status]);

/** Returns what is wrong with a request that takes nothing more, by the message of its error. */
export const findGoneStatus = (message: string): keyof typeof goneMessages | undefined =>
  (Object.keys(goneMessages) as (keyof typeof goneMessages)[]).find(
    (status) => goneMessages[status] === message,
  );

export const requestModifiedMessage = 'The request is being modified. Try again.';

/** Retries a change that returns `undefined` after a concurrent write. */
export const retryOnConflict = createRetry(requestModifiedMessage);

/** When the record of a request is deleted, in seconds since 1970: as long after its end as that of a share. */
export const getRetention = (expiresAt: string): number =>
  Math.ceil((Date.parse(expiresAt) + tombstoneRetentionMs) / 1_000);

/** Whether a request is forgotten, even if it is still stored. */
const isForgotten = ({ expiresAt }: StoredRequest): boolean =>
  getRetention(expiresAt) * 1_000 <= Date.now();

/** Reads requests by id; those that don’t exist are left out. Strongly consistent. */
export const loadRequests = async (ids: readonly string[]): Promise<StoredRequest[]> => {
  const items = await batchGet(ids.map((id) => requestKeys.record.at({ id })));
  return items.flatMap((item) => parseRequest(item) ?? []).filter((one) => !isForgotten(one));
};

/**
 * Reads a request.
 * @throws AppError NOT_FOUND
 */
export const loadRequest = async (id: string): Promise<StoredRequest> => {
  const [request] = await loadRequests([id]);
  if (!request) throw requestNotFound();
  return request;
};

/** Returns the address of a request's page. */
export const getRequestUrl = (id: string): string => `${getSetting('PUBLIC_URL')}/r/${id}`;
