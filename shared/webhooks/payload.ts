import { describeEvent } from './event-text.ts';
import type { WebhookEvent } from './events.ts';

/** `json` is the event; `text` is one line, which chat tools take. */
export const webhookFormats = ['json', 'text'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Returns the body of a request to a webhook (JSON). It is the same for each try. */
export const toBody = (event: WebhookEvent, format: WebhookFormat): string => {
  const { type, timestamp, data } = event;
  return JSON.stringify(
    format === 'text' ? { text: describeEvent(event) } : { type, timestamp, data },
  );
};
