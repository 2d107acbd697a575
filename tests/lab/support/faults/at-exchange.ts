import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Counts requests to the engines and their responses, and runs an action at the nth. */
export const atExchange = async (nth: number, act: () => void, work: () => Promise<unknown>) => {
  const channels = ['http.server.request.start', 'http.server.response.finish'];
  let seen = 0;
  const count = () => {
    seen++;
    if (seen === nth) act();
  };
  for (const channel of channels) subscribe(channel, count);
  await work();
  for (const channel of channels) unsubscribe(channel, count);
  return seen;
};
