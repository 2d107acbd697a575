import { ApiError } from '../../../../browser/client/api-error.ts';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { api } from '../../../../browser/shell/api.ts';
import { talkTexts as texts } from '../../talk-texts.ts';

/** What is sent. */
export interface Outgoing {
  readonly recipients?: readonly number[];
  readonly subject?: string;
  readonly content: string;
  readonly replyTo?: number;
  readonly conversationId?: number;
  /** Ids of files. */
  readonly attachments?: readonly number[];
}

const isFileRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.details.some(({ field }) => field.startsWith('attachments'));

let last: { readonly text: string; readonly key: string } | undefined;

/**
 * Sends a message. Repeating what failed sends it once, even if only the response was lost.
 * @throws Error with a text for the user
 */
export const sendMessage = async (message: Outgoing): Promise<Data<'POST /api/messages'>> => {
  const text = JSON.stringify(message);
  if (last?.text !== text) last = { text, key: crypto.randomUUID() };
  const { recipients, attachments, ...rest } = message;
  try {
    const sent = await api.call('POST /api/messages', {
      body: {
        ...rest,
        ...(recipients && { recipients: [...recipients] }),
        ...(attachments?.length && { attachments: [...attachments] }),
      },
      idempotencyKey: last.key,
    });
    last = undefined;
    return sent;
  } catch (error) {
    throw isFileRefused(error) ? new Error(texts.fileRefused, { cause: error }) : error;
  }
};
