import { transmit } from '../client/transport.ts';

/** A browser waits this long for a response; the gateway itself 30 s. */
const timeoutMs = 60_000;

/** Posts JSON and returns the body of the response. @throws ApiError */
export const post = async (url: string, values: object): Promise<unknown> => {
  const init = {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  } as const;
  return (await transmit({ fetch, url, init, timeoutMs, signal: undefined })).body;
};
