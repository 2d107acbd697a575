import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { walks } from './jobs.ts';
import { retentionKeys } from './keys.ts';

type Name = (typeof walks)[number];

/** How far the walks have come. Only who holds the lease of a walk writes it. */
interface Progress {
  readonly shares: {
    /** All shares that were created up to this time and whose age allowed it have ended (ISO 8601), but those that failed. */
    readonly upTo: string;
    /** The ids of shares whose content couldn't be deleted. */
    readonly failed?: readonly string[];
  };
  /** The last or current walk through all users. Durations are in ms. */
  readonly users: {
    /** The day (UTC) on which it began, as days since 1970. */
    readonly day: number;
    /** MESSAGES_KEEP, if messages are deleted. */
    readonly messages?: number | undefined;
    readonly notifications: number;
    /** Whether NOTIFICATIONS_KEEP was changed, so that some may be hidden. */
    readonly withNotifications: boolean;
    /** The user before whom all are done. */
    readonly after: number;
    readonly isDone: boolean;
  };
}

/** What a call has done of a walk: whether it got to the end in time, and the first error. */
export interface Walked {
  readonly isAtEnd: boolean;
  readonly failure: unknown;
}

/** Reads how far a walk has come; `undefined` if it never began. */
export const readWalk = async <Walk extends Name>(
  walk: Walk,
): Promise<Progress[Walk] | undefined> => {
  const [item] = await batchGet([retentionKeys.walk.at({ walk })]);
  return item as Progress[Walk] | undefined;
};

/** Stores how far a walk has come. */
export const writeWalk = async <Walk extends Name>(
  walk: Walk,
  progress: Progress[Walk],
): Promise<void> => {
  const Item = { ...progress, ...retentionKeys.walk.at({ walk }) };
  await documentClient().send(new PutCommand({ TableName: tableName(), Item }));
};
