/** Receives the sent part of a body, from 0 to 1. */
export type OnProgress = (part: number) => void;

/** Creates a `fetch` that reports how much of its body has been sent. */
export type WithProgress = (onProgress: OnProgress) => typeof fetch;

/** The parts of an XMLHttpRequest that are used here. */
interface Request {
  readonly upload: { onprogress: (event: { loaded: number; total: number }) => void };
  readonly status: number;
  readonly responseText: string;
  onload: () => void;
  onerror: () => void;
  onabort: () => void;
  onloadend: () => void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: RequestInit['body']): void;
  abort(): void;
}

/** How long nothing may be sent. ms. */
export const stallMs = 60_000;

const parseHeaders = (text: string): Headers => {
  const headers = new Headers();
  for (const line of text.trim().split(/[\r\n]+/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
};

/** Statuses whose responses have no body. */
const bodiless = [204, 304];

/**
 * Sends by XMLHttpRequest, because fetch reports no progress. Gives up when nothing has been sent for a minute, however
 * long the whole takes, so pass `timeoutMs: Infinity` with it. Elsewhere than in browsers, it reports only the end.
 */
export const withProgress: WithProgress = (onProgress) => async (input, init) => {
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Request };
  if (!XMLHttpRequest) {
    const response = await fetch(input, init);
    onProgress(1);
    return response;
  }
  const { method = 'GET', headers, body, signal } = init ?? {};
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, String(input));
    new Headers(headers).forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    const fail = () => reject(new TypeError('No response'));
    const stop = () => request.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, stallMs);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      wait();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onerror = fail;
    request.onabort = fail;
    request.onload = () => {
      const { status, responseText } = request;
      const content = bodiless.includes(status) ? null : responseText;
      resolve(
        new Response(content, { status, headers: parseHeaders(request.getAllResponseHeaders()) }),
      );
    };
    request.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop);
    wait();
    request.send(body);
    if (signal?.aborted) stop();
  });
};
