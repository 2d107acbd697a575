import { randomUUID } from 'node:crypto';
import type { Operations } from '../host/in-process.ts';

/** A function: it gets what it is called with, and the id of the call. */
export type LocalFunction = (event: unknown, requestId: string) => Promise<unknown>;

/** Lambda's calls of functions in this process. */
export interface FunctionEngine {
  /** For clients of this process. */
  readonly operations: Operations;
  /** Waits for the calls that run, and those that they make. */
  settled(): Promise<void>;
}

/** Creates the error that the SDK throws for this response. */
const toError = (name: string, message: string, status: number): Error =>
  Object.assign(new Error(message), {
    name,
    $fault: 'client',
    $metadata: { httpStatusCode: status },
  });

const parse = (payload: Uint8Array | string | undefined): unknown => {
  const text = typeof payload === 'string' ? payload : Buffer.from(payload ?? []).toString();
  return text === '' ? {} : JSON.parse(text);
};

/**
 * Opens Lambda for functions by name. They are called as events only: nobody waits for them, and their failures go to
 * `onFailure`. Unlike on AWS, none is called again.
 */
export const openFunctions = (
  functions: Readonly<Record<string, LocalFunction>>,
  onFailure: (error: unknown) => void,
): FunctionEngine => {
  const running = new Set<Promise<void>>();
  const start = (call: LocalFunction, event: unknown): void => {
    const run = (async () => {
      // After the response of the call.
      await new Promise(setImmediate);
      await call(event, randomUUID());
    })()
      .catch(onFailure)
      .finally(() => running.delete(run));
    running.add(run);
  };
  return {
    operations: {
      InvokeCommand: async ({ FunctionName: name, InvocationType: type, Payload: payload }) => {
        const found = functions[name];
        if (!found) {
          throw toError('ResourceNotFoundException', `Function not found: ${name}`, 404);
        }
        if (type !== 'Event') {
          throw toError('NotImplemented', `The local Lambda does not implement ${type} calls`, 501);
        }
        start(found, parse(payload));
        return { StatusCode: 202 };
      },
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
