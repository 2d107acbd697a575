import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import { sleep } from '../../../../../functions/web/browser/client/transport.ts';
import { interruption as signal } from '../../interruption.ts';
import { note } from '../../terminal/output.ts';

/** From how long a pause is told. ms. */
const longMs = 5_000;

/** How often a call is repeated that the service asks to wait with: each time it has room for one. */
const maxWaits = 100;

/**
 * Creates a client that waits for as long as the service asks to, beyond what a command waits otherwise: an import has more to
 * create than a user does in ten minutes.
 */
export const createPatientClient = (client: Client): Client => {
  const call = async (endpoint: never, options: object): Promise<unknown> => {
    for (let waits = 0; ; waits++) {
      try {
        return await client.call(endpoint, { signal, ...options } as never);
      } catch (error) {
        const waitMs = error instanceof ApiError && error.status === 429 && error.retryAfterMs;
        if (!waitMs || waits === maxWaits) throw error;
        if (waitMs >= longMs) {
          note(`The service takes more in ${Math.ceil(waitMs / 1_000)} seconds. Waiting.`);
        }
        await sleep(waitMs, signal);
      }
    }
  };
  return { ...client, call: call as Client['call'] };
};
