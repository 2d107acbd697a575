import { createInterface } from 'node:readline/promises';

/** Asks a question in the terminal, and returns the answer. */
export type Ask = (question: string) => Promise<string>;

/** Asks in this process's terminal. Without one, or when its input ends, the answer is empty. */
export const ask: Ask = async (question) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The question never resolves when the input ends.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
};

/** Asks for a yes. Everything but `y` and `yes` is a no. */
export const isConfirmed = async (question: string, confirm: Ask): Promise<boolean> =>
  /^y(es)?$/i.test((await confirm(`${question} [y/N] `)).trim());
