import type { Data } from '../../../../browser/client/endpoints.ts';
import { api } from '../../../../browser/shell/api.ts';

/** What is sent. */
export interface Outgoing {
  readonly recipients?: readonly number[];
  readonly subject?: string;
  readonly content: string;
  readonly replyTo?: number;
  readonly conversationId?: number;
}

let last: { readonly text: string; readonly key: string } | undefined;

/** Sends a message. Repeating what failed sends it once, even if only the response was lost. */
export const sendMessage = async (message: Outgoing): Promise<Data<'POST /api/messages'>> => {
  const text = JSON.stringify(message);
  if (last?.text !== text) last = { text, key: crypto.randomUUID() };
  const { recipients, ...rest } = message;
  const sent = await api.call('POST /api/messages', {
    body: { ...rest, ...(recipients && { recipients: [...recipients] }) },
    idempotencyKey: last.key,
  });
  last = undefined;
  return sent;
};
