import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

const command = join(import.meta.dirname, '../../../infra/cli/bin/handbill.cjs');

/** What the test reads of a response. */
export interface Answer {
  readonly id: string | number | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a result
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface AssistantOptions {
  readonly folder: string;
  /** Elsewhere: a folder with the home folder in it is closed. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Starts `handbill mcp` as an assistant's client does. */
export const startAssistant = ({ folder, home, env, args = [] }: AssistantOptions) => {
  const child = spawn(process.execPath, [command, 'mcp', ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      NODE_DISABLE_COMPILE_CACHE: '1',
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  const errors = text(child.stderr);
  const closed = once(child, 'close');
  const lines: Answer[] = [];
  const waiting = new Map<unknown, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    // What is no JSON fails the test.
    const answer: Answer = JSON.parse(line);
    lines.push(answer);
    waiting.get(answer.id)?.(answer);
  });
  let next = 1;

  const write = (line: string): void => void child.stdin.write(`${line}\n`);

  const wait = (id: unknown): Promise<Answer> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
    });

  /** Sends a request of the era without sessions. */
  const ask = (method: string, params: object = {}): Promise<Answer> => {
    const id = next++;
    const answer = wait(id);
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }));
    return answer;
  };

  return {
    child,
    lines,
    write,
    wait,
    ask,
    /** Calls a tool and returns its result. */
    call: async (name: string, given: object = {}) => {
      const { result, error } = await ask('tools/call', { name, arguments: given });
      return result ?? { failed: error };
    },
    /** Ends the input, and returns how the command ended. */
    end: async () => {
      child.stdin.end();
      const [code] = await closed;
      return { code: code as number | null, err: await errors };
    },
    closed: async () => {
      const [code] = await closed;
      return { code: code as number | null, err: await errors };
    },
  };
};
