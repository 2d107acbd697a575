/** Connects this process to an engine. Returns a function that undoes it, after which its clients send requests. */
type Connect = () => () => void;

/** Whether the engines of this test file are called in its process. ENGINES_BY_HTTP=true makes all files send requests. */
let isDirect = process.env['ENGINES_BY_HTTP'] !== 'true';

const connects: Connect[] = [];
let disconnects: (() => void)[] = [];

const disconnectAll = (): void => {
  for (const disconnect of disconnects) disconnect();
  disconnects = [];
};

/** Calls an engine in this process, unless this file sends requests. */
export const callDirectly = (connect: Connect): void => {
  if (!isDirect) return;
  connects.push(connect);
  disconnects.push(connect());
};

/** Makes this test file send requests to its engines, for what only a request has: bytes, retries, attempts. */
export const sendRequests = (): void => {
  isDirect = false;
  disconnectAll();
};

/** Sends requests to the engines during a function, as a deployment does, such as to count them. */
export const whileSendingRequests = async <Result>(
  work: () => Promise<Result>,
): Promise<Result> => {
  disconnectAll();
  try {
    return await work();
  } finally {
    if (isDirect) disconnects = connects.map((connect) => connect());
  }
};
