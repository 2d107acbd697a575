import { CommandError } from '../command.ts';

/** The bounds of a request and of the whole test. ms. */
const requestMs = 10_000;
const totalMs = 60_000;

interface Request {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
}

/** The failure of a step, with what the service answered. */
export const failed = (what: string, status: number | string): CommandError =>
  new CommandError(`Smoke test failed: ${what} (${status}).`);

/** Creates a function that sends requests to the service, within the time of the test and until it is interrupted. */
export const createSender = (address: string, interruption?: AbortSignal) => {
  const end = AbortSignal.timeout(totalMs);
  const bounds = interruption ? [end, interruption] : [end];
  return async (path: string, { method = 'GET', token, body }: Request = {}): Promise<Response> => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const content = isJson ? JSON.stringify(body) : (body as FormData | undefined);
    try {
      return await fetch(new URL(path, address), {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([...bounds, AbortSignal.timeout(requestMs)]),
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(content !== undefined && { body: content }),
      });
    } catch (cause) {
      if (interruption?.aborted) throw new CommandError('Smoke test canceled.', { cause });
      throw failed(`${method} ${path} got no answer`, (cause as Error).name);
    }
  };
};

export type Send = ReturnType<typeof createSender>;

/** Sends a request and checks the status of the answer. */
export const expectStatus = async (
  send: Send,
  status: number,
  path: string,
  request?: Request,
): Promise<Response> => {
  const response = await send(path, request);
  if (response.status !== status)
    throw failed(`${request?.method ?? 'GET'} ${path}`, response.status);
  return response;
};
