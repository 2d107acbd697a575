import { ApiError } from '../../../../functions/web/browser/client/api-error.ts';
import { getRetryDelay, maxAttempts } from '../../../../functions/web/browser/client/retry.ts';
import { sleep, transmit } from '../../../../functions/web/browser/client/transport.ts';
import { assertPrivate, findToken } from '../connection.ts';
import { CliError, explain } from '../error-mapping.ts';
import {
  createError,
  errorCodes,
  isRequest,
  type Message,
  type Response,
  toHeaders,
  toObject,
} from './message.ts';

/** The longest wait for a response, of each attempt: the gateway waits 30 s. ms. */
const timeoutMs = 60_000;

/** The longest time for repeating a request. ms. */
const retryMs = 10_000;

/** Sends messages to a service, as its user. */
export interface Door {
  /**
   * Sends a message and returns the response; `undefined` for a notification. A failure is a response, too: it has the sentence
   * and what to do.
   * @throws the reason of the signal
   */
  send(message: Message, options: SendOptions): Promise<Response | undefined>;
}

interface SendOptions {
  readonly signal: AbortSignal;
  /** Whether the message may reach the service twice. */
  readonly isRepeatable: boolean;
}

/** Returns what a person does about a failure that the service words for programs, or not at all. */
const toAdvice = (error: ApiError, url: string): string | undefined => {
  if (error.status === 401) {
    return `Not signed in at ${url}. Run handbill login, or set HANDBILL_TOKEN to a valid API token.`;
  }
  if (error.status === 404 || error.status === 405) {
    return `${url} has no door for assistants. Check the address, or ask its operator to upgrade it.`;
  }
  if (error.status === 413) return 'The message is too large. Send files by their `path` instead.';
  return undefined;
};

const toText = (error: ApiError, url: string): string => {
  const { message } = explain(error, url);
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return message;
  return `${message} Wait ${Math.ceil(retryAfterMs / 1_000)} s.`;
};

/** Returns the response of JSON-RPC in a body, for this request. */
const findResponse = (message: Message, body: unknown): Response | undefined => {
  const { jsonrpc, result, error } = toObject(body) ?? {};
  if (jsonrpc !== '2.0' || !isRequest(message)) return undefined;
  const failed = toObject(error);
  const isError = typeof failed?.['code'] === 'number' && typeof failed['message'] === 'string';
  const { id } = message;
  // Nothing else is passed on: with a method, a client might take it for a request of the service.
  if (isError) return { jsonrpc, id, error: error as NonNullable<Response['error']> };
  const found = toObject(result);
  return found && { jsonrpc, id, result: found };
};

const toFailure = (message: Message, error: unknown, url: string): Response | undefined => {
  if (!isRequest(message)) return undefined;
  if (!(error instanceof ApiError)) {
    return createError(message.id, errorCodes.refused, explain(error, url).message);
  }
  const found = error.status === 401 ? undefined : findResponse(message, error.body);
  if (found) return found;
  const { status, code } = error;
  const text = toAdvice(error, url) ?? toText(error, url);
  return createError(message.id, errorCodes.refused, text, { status, code });
};

const noToken = (url: string): CliError =>
  new CliError(`Not signed in at ${url}. Run handbill login, or set HANDBILL_TOKEN.`);

/** Returns the token, read each time, because a person may sign in while the command runs. @throws CliError */
export const requireToken = async (url: string): Promise<string> => {
  const token = await findToken(url);
  if (token === undefined) throw noToken(url);
  assertPrivate(url);
  return token;
};

/** Connects to the tools of a service. */
export const createDoor = (url: string): Door => {
  /** The version that `initialize` has agreed on. */
  let negotiated: string | undefined;

  const attempt = async (message: Message, signal: AbortSignal): Promise<unknown> => {
    const init: RequestInit = {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${await requireToken(url)}`,
        ...toHeaders(message, message.method === 'initialize' ? undefined : negotiated),
      },
      body: JSON.stringify(message),
    };
    try {
      return (await transmit({ fetch, url: `${url}/mcp`, init, timeoutMs, signal })).body;
    } catch (error) {
      // Of a notification, there is nothing to say.
      if (error instanceof ApiError && error.status === 202) return undefined;
      throw error;
    }
  };

  const sendRepeatedly = async (message: Message, { signal, isRepeatable }: SendOptions) => {
    const startedAt = Date.now();
    for (let count = 1; ; count++) {
      try {
        return await attempt(message, signal);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const retried = { method: 'POST', isRepeatable, isConditional: false };
        const pause = getRetryDelay(error, count, retried);
        const isOver = count >= maxAttempts || Date.now() - startedAt + (pause ?? 0) > retryMs;
        if (pause === undefined || isOver) throw error;
        await sleep(pause, signal);
      }
    }
  };

  return {
    send: async (message, options) => {
      try {
        const body = await sendRepeatedly(message, options);
        if (!isRequest(message)) return undefined;
        const response = findResponse(message, body);
        if (!response) {
          const text = `${url} did not respond in JSON-RPC. Check that it is the address of a Handbill service.`;
          return createError(message.id, errorCodes.internal, text);
        }
        if (message.method === 'initialize') {
          const version = response.result?.['protocolVersion'];
          if (typeof version === 'string') negotiated = version;
        }
        return response;
      } catch (error) {
        options.signal.throwIfAborted();
        return toFailure(message, error, url);
      }
    },
  };
};
