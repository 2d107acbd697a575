import { createHash } from 'node:crypto';
import { createRandomId } from '../db/ids.ts';
import { type OwnEvent, ownEventTexts } from './event-texts.ts';

/** The own events: what a user’s webhooks can be told of. The audit’s names are for holders of `webhooks:manage`. */
export const ownEvents = Object.keys(ownEventTexts) as readonly OwnEvent[];

/** Stands for all own events, also those that a later version adds. */
export const allOwnEvents = '*';

/** What “Send test” sends. Nobody chooses it. */
export const testEvent = 'webhook.test';

/** Returns whether a type is one of a user's own events, in contrast to one of the audit's names. */
export const isOwnEvent = (type: string): type is OwnEvent => Object.hasOwn(ownEventTexts, type);

/** Ids, labels and times (decisions.md#webhooks): never content, and never who a reader is. */
export type EventData = Readonly<Record<string, unknown>>;

/** An event as webhooks get it. */
export interface WebhookEvent {
  /** The `webhook-id`: the same for each try and each webhook. */
  readonly id: string;
  /** One of `ownEvents`, one of the audit's names, or `testEvent`. */
  readonly type: string;
  /** When it happened (ISO 8601). */
  readonly timestamp: string;
  readonly data: EventData;
}

/**
 * Creates the id of an event. With a `happening`, such as `share-opened#<id>`, it is the same whenever that is told again, so
 * that a job that runs twice tells of one event.
 */
export const createEventId = (happening?: string): string =>
  `evt_${
    happening === undefined
      ? createRandomId()
      : createHash('sha256').update(happening).digest('base64url').slice(0, 22)
  }`;
