import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { CommandError } from './command.ts';

/** Asks a question, and returns the answer. */
export type Ask = (question: string) => Promise<string>;

/** The failure of a question that nobody answers. */
export class Unanswered extends CommandError {
  constructor(reason: string) {
    super(
      `${reason}. Run the command in a terminal, pipe the answers to it, or pass --yes to do without questions.`,
    );
  }
}

/** How long a pipe may take for an answer: one that stays open and silent would keep the command waiting forever. ms. */
const maxWaitMs = 30_000;

/** What questions are asked through: a terminal, or a pipe or file. */
type Input = Readable & { readonly isTTY?: boolean; ref?(): unknown; unref?(): unknown };

/** Asks in a terminal. Ctrl+C and Ctrl+D cancel the command. */
const askInTerminal = async (input: Input, output: Writable, question: string): Promise<string> => {
  const terminal = createInterface({ input, output });
  const canceled = () => new CommandError('\nCanceled.', { exitCode: 130 });
  // The question never resolves when the input ends.
  const ended = once(terminal, 'close').then(() => Promise.reject(canceled()));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? canceled() : error;
  } finally {
    terminal.close();
  }
};

/**
 * Creates the function that asks through an input and an output.
 * @throws Unanswered when the input ends, or is a pipe that is silent for half a minute; CommandError for Ctrl+C
 */
export const createAsk = (input: Input, output: Writable): Ask => {
  /** What a pipe has sent and no question has taken yet. */
  let rest = '';

  /** Waits for more of a pipe. Returns whether there was any. */
  const readMore = async (signal: AbortSignal): Promise<boolean> => {
    input.setEncoding('utf8');
    for (;;) {
      const text = input.read() as string | null;
      if (text !== null) {
        rest += text;
        return true;
      }
      if (input.readableEnded || input.destroyed) return false;
      await Promise.race([once(input, 'readable', { signal }), once(input, 'end', { signal })]);
    }
  };

  const readLine = async (signal: AbortSignal): Promise<string> => {
    while (!rest.includes('\n')) {
      if (await readMore(signal)) continue;
      if (rest === '') throw new Unanswered('Nobody has answered');
      rest += '\n';
    }
    const end = rest.indexOf('\n');
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    return line.replace(/\r$/, '');
  };

  const askPipe = async (question: string): Promise<string> => {
    output.write(question);
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), maxWaitMs);
    input.ref?.();
    try {
      const line = await readLine(controller.signal);
      output.write(`${line}\n`);
      return line;
    } catch (error) {
      output.write('\n');
      if (!controller.signal.aborted) throw error;
      throw new Unanswered(`Nobody has answered for ${maxWaitMs / 1_000} seconds`);
    } finally {
      clearTimeout(timer);
      // Ends what still listens.
      controller.abort();
      // A pipe that stays open doesn't keep the process.
      input.unref?.();
    }
  };

  return (question) => (input.isTTY ? askInTerminal(input, output, question) : askPipe(question));
};

/** Asks in this process's terminal, or through its pipe. */
export const ask: Ask = (question) => {
  asking ??= createAsk(process.stdin, process.stdout);
  return asking(question);
};

let asking: Ask | undefined;

/** Asks for a yes. Everything but `y` and `yes` is a no. */
export const isConfirmed = async (question: string, confirm: Ask): Promise<boolean> =>
  /^y(es)?$/i.test((await confirm(`${question} [y/N] `)).trim());
