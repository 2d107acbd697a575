import { stallMs, type WithProgress } from './progress.ts';

/** Escapes what would end a parameter of a part's header. */
const escapeParameter = (text: string): string =>
  text.replace(/["\r\n]/g, (character) => encodeURIComponent(character));

/** Encodes a form. Its files stay where they are until they are read. */
const encode = (form: FormData, boundary: string): Blob => {
  const parts = [...form].flatMap(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeParameter(name)}"`;
    return typeof value === 'string'
      ? [`${head}\r\n\r\n${value}\r\n`]
      : [
          `${head}; filename="${escapeParameter(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`,
          value,
          '\r\n',
        ];
  });
  return new Blob([...parts, `--${boundary}--\r\n`]);
};

/**
 * Sends a form as a stream and reports how much of it has been read, where there is no XMLHttpRequest, such as in Node.js.
 * Gives up when nothing has been read for a minute, so pass `timeoutMs: Infinity` with it. Sends other bodies as they are.
 */
export const withStreamProgress: WithProgress = (onProgress) => async (input, init) => {
  if (!(init?.body instanceof FormData)) return fetch(input, init);
  const boundary = `handbill-${crypto.randomUUID()}`;
  const content = encode(init.body, boundary);
  const stalled = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const wait = () => {
    clearTimeout(timer);
    // The stream may be read ahead after the end.
    if (!isOver) timer = setTimeout(() => stalled.abort(), stallMs);
  };
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      wait();
      sent += chunk.length;
      onProgress(sent / content.size);
      controller.enqueue(chunk);
    },
  });
  const headers = new Headers(init.headers);
  headers.set('content-type', `multipart/form-data; boundary=${boundary}`);
  // S3 refuses a body of unknown length.
  headers.set('content-length', String(content.size));
  const signals = [stalled.signal, init.signal].filter((signal) => signal != null);
  wait();
  try {
    return await fetch(input, {
      ...init,
      headers,
      body: content.stream().pipeThrough(counter),
      signal: AbortSignal.any(signals),
      duplex: 'half',
    } as RequestInit);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
};
