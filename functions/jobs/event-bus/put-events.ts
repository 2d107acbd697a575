import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import type * as z from 'zod';
import type { JobMessage } from '../../../shared/jobs/job-type.ts';
import { createRequestHandler } from '../../../shared/runtime/request-handler.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import type { busEvents } from '../../../shared/webhooks/jobs.ts';

type Message = JobMessage<z.output<(typeof busEvents)['data']>>;
type BusEvent = Message['data']['events'][number];

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const maxEntries = 10;

const timeoutMs = 5_000;

let client: EventBridgeClient | undefined;

/** Returns the EventBridge client: three attempts of up to five seconds. */
export const busClient = (): EventBridgeClient => {
  client ??= new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: createRequestHandler(timeoutMs),
  });
  // It formats each input and output, even without a logger.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

const toEntry = ({ id, type, timestamp, data, userId }: BusEvent): PutEventsRequestEntry => ({
  EventBusName: getSetting('EVENT_BUS'),
  Source: 'handbill',
  DetailType: type,
  Time: new Date(timestamp),
  // Several stages of an account can share a bus.
  Detail: JSON.stringify({ id, type, timestamp, stage: getSetting('STAGE'), userId, data }),
});

/** The bus refused an event, for instance because it is throttled. */
class EventRefused extends Error {
  override readonly name = 'EventRefused';
}

/** Puts up to ten events. Returns the errors by the ids of their messages. */
const put = async (
  entries: readonly { readonly messageId: string; readonly event: BusEvent }[],
): Promise<readonly (readonly [string, unknown])[]> => {
  try {
    const command = new PutEventsCommand({ Entries: entries.map(({ event }) => toEntry(event)) });
    const { Entries = [] } = await busClient().send(command);
    return entries.flatMap(({ messageId }, at) => {
      const code = Entries[at]?.ErrorCode;
      return code === undefined ? [] : [[messageId, new EventRefused(code)] as const];
    });
  } catch (error) {
    return entries.map(({ messageId }) => [messageId, error] as const);
  }
};

/**
 * Puts the events of messages on the bus, ten a request. Returns the errors by the ids of the messages, whose events are put
 * again: each at least once, and always with the same id in its detail.
 */
export const putAll = async (
  messages: readonly Message[],
): Promise<ReadonlyMap<string, unknown>> => {
  const all = messages.flatMap(({ id, data }) =>
    data.events.map((event) => ({ messageId: id, event })),
  );
  const failed = new Map<string, unknown>();
  for (let at = 0; at < all.length; at += maxEntries) {
    for (const [id, error] of await put(all.slice(at, at + maxEntries))) failed.set(id, error);
  }
  return failed;
};
