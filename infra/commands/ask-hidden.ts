import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { CommandError } from './command.ts';

type Input = Readable & { readonly isTTY?: boolean };

/** More than any secret has: what is longer is another file. */
const maxLength = 4_096;

/** Asks in a terminal that shows nothing of what is typed. */
const askInTerminal = async (input: Input, output: Writable, question: string): Promise<string> => {
  output.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const canceled = () => new CommandError('Canceled.', { exitCode: 130 });
  // The question never resolves when the input ends.
  const ended = once(terminal, 'close').then(() => Promise.reject(canceled()));
  try {
    return await Promise.race([terminal.question(''), ended]);
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? canceled() : error;
  } finally {
    terminal.close();
    output.write('\n');
  }
};

const readAll = async (input: Input): Promise<string> => {
  let text = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    text += chunk;
    if (text.length > maxLength) break;
  }
  return text;
};

/**
 * Asks for a secret: in a terminal without showing it, else by all of the pipe or file. White space around it doesn't count.
 * @throws CommandError for Ctrl+C, or without an answer
 */
export const askHidden = async (
  question: string,
  input: Input = process.stdin,
  output: Writable = process.stdout,
): Promise<string> => {
  const answer = (
    input.isTTY ? await askInTerminal(input, output, question) : await readAll(input)
  ).trim();
  if (answer === '') throw new CommandError('Nothing was entered.');
  return answer;
};
