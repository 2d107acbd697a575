import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { connectWith } from '../connection.ts';
import { explain } from '../error-mapping.ts';
import type { Confinement } from './confinement.ts';
import { type Door, requireToken } from './door.ts';
import { readLines } from './lines.ts';
import {
  createError,
  errorCodes,
  getOwnVersion,
  isRequest,
  type Message,
  type MessageId,
  parseMessage,
  type Request,
  type Response,
  toObject,
} from './message.ts';
import { type Arguments, amendTools, findKeyed, findPathCall, findReading } from './path-tools.ts';
import { createRepeats } from './repeats.ts';
import type { SealedResult } from './sealed-calls.ts';
import { understandCall } from './sealed-tools.ts';

/** The most bytes of a message. */
export const maxMessageBytes = 8 * 1024 * 1024;

/** How many messages are sent at once, and how many more may wait. */
const concurrency = 8;
const maxWaiting = 32;

/** What the bridge is between. */
export interface BridgeOptions {
  readonly url: string;
  readonly door: Door;
  readonly confinement: Confinement;
  readonly input: Readable;
  /** Writes a line. */
  readonly write: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Creates the result of a tool, which the model reads. */
const createToolResult = (request: Request, text: string, more: object): Response => ({
  jsonrpc: '2.0',
  id: request.id,
  result: {
    ...(getOwnVersion(request) !== undefined && { resultType: 'complete' }),
    content: [{ type: 'text', text }],
    ...more,
  },
});

/** Adds what a model has to know of links to the result of a tool that has one. */
const addRemark = (response: Response, remark: string | undefined): Response => {
  const { result } = response;
  const content = result?.['content'];
  if (remark === undefined || !Array.isArray(content) || result?.['isError']) return response;
  if (!JSON.stringify(result).includes('/s/')) return response;
  return {
    ...response,
    result: { ...result, content: [...content, { type: 'text', text: remark }] },
  };
};

/** The messages between an assistant's client and a service. */
class Bridge {
  readonly #options: BridgeOptions;
  readonly #running = new Map<MessageId, AbortController>();
  readonly #waiting: Message[] = [];
  readonly #tasks = new Set<Promise<void>>();
  #reading: ReadonlySet<string> = new Set();
  #keyed: ReadonlySet<string> = new Set();
  readonly #repeats = createRepeats<SealedResult>();

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Takes a line of the client. */
  take(line: string | undefined): void {
    if (line === undefined) {
      const text = 'The message is larger than 8 MB. Send files by their `path` instead.';
      this.#respond(createError(null, errorCodes.invalidRequest, text));
      return;
    }
    if (line.trim() === '') return;
    const parsed = parseMessage(line);
    if ('refusal' in parsed) this.#respond(parsed.refusal);
    else if ('message' in parsed) this.#accept(parsed.message);
  }

  /** Waits for all that was taken. */
  async finish(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  #respond(response: Response): void {
    this.#options.write(`${JSON.stringify(response)}\n`);
  }

  #accept(message: Message): void {
    if (message.method === 'notifications/cancelled') {
      this.#cancel(message.params?.['requestId']);
      return;
    }
    if (isRequest(message) && this.#running.has(message.id)) {
      const text = 'A request with this "id" is running. Use another "id".';
      this.#respond(createError(message.id, errorCodes.invalidRequest, text));
      return;
    }
    if (this.#tasks.size < concurrency) {
      this.#start(message);
      return;
    }
    if (this.#waiting.length < maxWaiting) {
      this.#waiting.push(message);
      return;
    }
    if (!isRequest(message)) return;
    const text = 'Too many requests at once. Wait for responses.';
    this.#respond(createError(message.id, errorCodes.refused, text));
  }

  /** Ends a request that nobody waits for any more, which gets no response. */
  #cancel(id: unknown): void {
    const at = this.#waiting.findIndex((message) => message.id === id);
    if (at !== -1) this.#waiting.splice(at, 1);
    this.#running.get(id as MessageId)?.abort();
  }

  #start(message: Message): void {
    const task = this.#handle(message).finally(() => {
      this.#tasks.delete(task);
      const next = this.#waiting.shift();
      if (next) this.#start(next);
    });
    this.#tasks.add(task);
  }

  async #handle(message: Message): Promise<void> {
    const controller = new AbortController();
    if (isRequest(message)) this.#running.set(message.id, controller);
    const signal = AbortSignal.any([controller.signal, this.#options.signal]);
    try {
      const response = await this.#send(message, signal);
      if (response && !signal.aborted) this.#respond(response);
    } catch (error) {
      if (signal.aborted || !isRequest(message)) return;
      this.#respond(createError(message.id, errorCodes.internal, this.#explain(error)));
    } finally {
      if (isRequest(message)) this.#running.delete(message.id);
    }
  }

  #explain(error: unknown): string {
    return explain(error, this.#options.url).message;
  }

  async #send(message: Message, signal: AbortSignal): Promise<Response | undefined> {
    const { door } = this.#options;
    if (!isRequest(message)) return door.send(message, { signal, isRepeatable: false });
    if (message.method === 'tools/call') return this.#call(message, signal);
    if (String(message.params?.['uri']).includes('#')) {
      const text =
        'A resource has no key. Read a sealed share by share_read, with its whole link as `id`.';
      return createError(message.id, errorCodes.invalidRequest, text);
    }
    const response = await door.send(message, { signal, isRepeatable: true });
    if (message.method !== 'tools/list' || !response) return response;
    this.#reading = new Set([...this.#reading, ...findReading(response)]);
    this.#keyed = new Set([...this.#keyed, ...findKeyed(response)]);
    return amendTools(response);
  }

  async #call(request: Request, signal: AbortSignal): Promise<Response | undefined> {
    const { door, confinement, url } = this.#options;
    const name = String(request.params?.['name']);
    const call = async (changed: Arguments): Promise<Response> => {
      const isKeyed = this.#keyed.has(name);
      const params = {
        ...request.params,
        // A request that is sent again must be known again.
        arguments: isKeyed ? { requestId: randomUUID(), ...changed } : changed,
      };
      const isRepeatable = isKeyed || this.#reading.has(name);
      const response = await door.send({ ...request, params }, { signal, isRepeatable });
      return response ?? createError(request.id, errorCodes.internal, 'No response came.');
    };
    try {
      const asked = toObject(request.params?.['arguments']) ?? {};
      const { given, run, check, remark } = understandCall(name, asked, url);
      const byPath = run ? undefined : findPathCall(name, given);
      const isPassedOn = !run && !byPath && !check;
      if (isPassedOn) return addRemark(await call(given), remark);
      const client = connectWith(url, { accessToken: await requireToken(url) });
      await check?.({ client });
      if (!run)
        return addRemark(await (byPath?.({ confinement, client, call }) ?? call(given)), remark);
      const { text, fields } = await run({ confinement, client, repeats: this.#repeats });
      return createToolResult(request, text, { structuredContent: fields });
    } catch (error) {
      signal.throwIfAborted();
      return createToolResult(request, this.#explain(error), { isError: true });
    }
  }
}

/** Passes messages between an assistant's client and a service until the input ends. */
export const runBridge = async (options: BridgeOptions): Promise<void> => {
  const bridge = new Bridge(options);
  for await (const line of readLines(options.input, maxMessageBytes)) bridge.take(line);
  await bridge.finish();
};
