import { deepStrictEqual } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { type Answered, startProcess } from './process.ts';
import { eventOf, type RequestName, requestNames, requests, statuses } from './requests.ts';

const secret = randomBytes(32).toString('base64');

/** The settings of a handler's process. */
export const env = {
  TABLE_NAME: 'warm',
  JWT_SECRET: secret,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
};

/** The gateway's events (JSON). */
export type Events = Readonly<Record<RequestName, string>>;

export const createEvents = (): Events => ({
  get: JSON.stringify(eventOf('get', secret)),
  post: JSON.stringify(eventOf('post', secret)),
});

/** Headers that server frameworks add and that the gateway replaces. */
const ofServers = new Set(['connection', 'content-length', 'date']);

const comparable = ({ status, headers, body, commands }: Answered) => {
  const sent = Object.entries(headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !ofServers.has(name));
  return { status, headers: Object.fromEntries(sent), body, commands: JSON.parse(commands) };
};

/** Returns a handler's responses to the requests at a time (ms), in a comparable form. */
const answersOf = async (file: string, events: Events, now: number) => {
  const handler = startProcess(file, env);
  try {
    const responses = new Map<RequestName, ReturnType<typeof comparable>>();
    for (const request of requestNames) {
      const { answered } = await handler.ask({ event: events[request], now });
      if (!answered) throw new Error('A handler did not answer');
      responses.set(request, comparable(answered));
    }
    return responses;
  } finally {
    await handler.end();
  }
};

/**
 * Asserts that all handlers send the same responses and the same commands to the table.
 * @throws Error when one differs, or when a request fails
 */
export const assertSameAnswers = async (
  files: ReadonlyMap<string, string>,
  events: Events,
): Promise<void> => {
  const now = Date.now();
  let first: Awaited<ReturnType<typeof answersOf>> | undefined;
  for (const [name, file] of files) {
    const responses = await answersOf(file, events, now);
    first ??= responses;
    for (const [request, response] of responses) {
      if (response.status !== statuses[request]) {
        throw new Error(`${name} answers ${requests[request]} with ${response.status}`);
      }
      const message = `${name} answers ${requests[request]} otherwise than the first`;
      deepStrictEqual(response, first.get(request), message);
    }
  }
};
