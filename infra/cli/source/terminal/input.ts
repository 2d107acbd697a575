import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { interruption } from '../interruption.ts';

/** Reads everything that is piped in, or typed up to Ctrl-D. */
export const readStdin = async (): Promise<Buffer> => {
  try {
    return await buffer(addAbortSignal(interruption, process.stdin));
  } catch (error) {
    interruption.throwIfAborted();
    throw error;
  }
};

/** Asks for a line; a secret isn't shown. @throws the reason of the interruption at Ctrl-C */
export const ask = async (prompt: string, { isSecret = false } = {}): Promise<string> => {
  // Only a sign-in loads it.
  const { read } = await import('read');
  try {
    return (await read({ prompt, silent: isSecret, output: process.stderr })).trim();
  } catch (error) {
    process.emit('SIGINT');
    interruption.throwIfAborted();
    throw error;
  }
};
