/** Whether the engines of this test file are called in its process. ENGINES_BY_HTTP=true makes all files send requests. */
let isDirect = process.env['ENGINES_BY_HTTP'] !== 'true';

const disconnects: (() => void)[] = [];

/** Calls an engine in this process, unless this file sends requests. `connect` returns a function that undoes it. */
export const callDirectly = (connect: () => () => void): void => {
  if (isDirect) disconnects.push(connect());
};

/** Makes this test file send requests to its engines, for what only a request has: bytes, retries, attempts. */
export const sendRequests = (): void => {
  isDirect = false;
  for (const disconnect of disconnects.splice(0)) disconnect();
};
