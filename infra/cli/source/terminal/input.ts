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
    const text = await read({ prompt, silent: isSecret, output: process.stderr });
    // The line break that was typed is hidden with the secret.
    if (isSecret) process.stderr.write('\n');
    return isSecret ? text : text.trim();
  } catch (error) {
    process.emit('SIGINT');
    interruption.throwIfAborted();
    throw error;
  }
};
