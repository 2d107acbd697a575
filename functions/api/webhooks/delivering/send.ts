import { OutboundError } from '../../../../shared/outbound/outbound-error.ts';
import { type PostAnswer, postPublic } from '../../../../shared/outbound/post-public.ts';
import { toBody } from '../../../../shared/webhooks/payload.ts';
import type { StoredDelivery } from '../record/delivery.ts';
import { isOfThisService } from '../record/own-host.ts';
import { signRequest } from '../record/signature.ts';
import type { StoredTry, StoredWebhook } from '../record/webhook.ts';

/** From the name of the host to the last byte that is read (ms). */
export const sendMs = 10_000;

/** A try that takes as long as this (ms) is slow: others don't wait for the next one. */
const slowMs = 5_000;

const bounds = { timeoutMs: sendMs, maxBytes: 64 * 1024, keptBytes: 1_024 };

/** What came of a try. */
export interface Outcome {
  readonly tried: StoredTry;
  readonly answer?: string;
  /** Whether the host wants nothing any more (410). */
  readonly isGone: boolean;
  readonly isSlow: boolean;
}

/** Says what an outsider sees of the host, too. */
const sayWhy = ({ reason }: OutboundError): string => {
  switch (reason) {
    case 'late':
      return 'No answer within 10 seconds';
    case 'not-public':
      return 'This address isn’t public';
    case 'unknown-host':
      return 'The host has no address';
    case 'insecure':
      return 'The host has no valid certificate';
    case 'address':
      return 'The address can’t be called';
    default:
      return 'The host didn’t answer as it should';
  }
};

/** Returns why an answer is none that takes the event. */
const refuse = ({ status }: PostAnswer): string | undefined => {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `Redirects aren’t followed (${status})`;
  return status === 410 ? 'Gone (410)' : `Answered with ${status}`;
};

/** Makes text of bytes for people: without what ends within a character, and without control characters. */
const toText = (start: Buffer): string =>
  new TextDecoder('utf-8', { ignoreBOM: false })
    .decode(start, { stream: true })
    .replace(/[^\P{C}\n\t]/gu, '');

/**
 * Sends a delivery once. Whatever its host does is an outcome.
 * @throws only what is a fault of the service
 */
export const send = async (webhook: StoredWebhook, { event }: StoredDelivery): Promise<Outcome> => {
  const now = Date.now();
  const started = performance.now();
  const body = toBody(event, webhook.format);
  const headers = signRequest(webhook, { id: event.id, body, now });
  const at = new Date(now).toISOString();
  if (isOfThisService(webhook.url)) {
    const reason = 'This address is of the service itself';
    return { tried: { at, ms: 0, isDelivered: false, reason }, isGone: false, isSlow: false };
  }
  try {
    const answer = await postPublic(webhook.url, body, headers, bounds);
    const ms = Math.round(performance.now() - started);
    const reason = refuse(answer);
    const text = toText(answer.start);
    return {
      tried: {
        at,
        ms,
        isDelivered: reason === undefined,
        httpStatus: answer.status,
        ...(reason !== undefined && { reason }),
      },
      ...(text !== '' && { answer: text }),
      isGone: answer.status === 410,
      isSlow: ms >= slowMs,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const ms = Math.round(performance.now() - started);
    return {
      tried: { at, ms, isDelivered: false, reason: sayWhy(error) },
      isGone: false,
      isSlow: error.reason === 'late' || ms >= slowMs,
    };
  }
};
