import { interruption as signal } from './interruption.ts';

/** How a request that creates something is sent. */
interface Sending {
  readonly idempotencyKey: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retryMs?: number;
}

/** Creates a record. If that is interrupted, nothing is left: the same request tells what was created. */
export const createWhole = async <Created>(
  create: (sending: Sending) => Promise<Created>,
  remove: (created: Created) => Promise<unknown>,
): Promise<Created> => {
  const idempotencyKey = crypto.randomUUID();
  try {
    return await create({ idempotencyKey, signal });
  } catch (error) {
    if (signal.aborted) {
      const again = { idempotencyKey, timeoutMs: 5_000, retryMs: 5_000 };
      const created = await create(again).catch(() => undefined);
      if (created !== undefined) await remove(created);
    }
    throw error;
  }
};
