import { signingSecret } from './engines.ts';
import { password } from './values.ts';

type Write = typeof process.stdout.write;

/** Captures the service's logs, and searches them for secrets. */
export const watchOutput = () => {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  const logged: string[] = [];
  const take = ((chunk: string | Uint8Array) => {
    logged.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return true;
  }) as Write;
  for (const stream of streams) stream.write = take;
  return {
    /** Reports whether a secret was logged since the last call. */
    findSecret(secrets: readonly string[]): string | undefined {
      if (logged.length === 0) return undefined;
      const text = logged.splice(0).join('');
      const hasSecret = [signingSecret, password, ...secrets].some((secret) =>
        text.includes(secret),
      );
      return hasSecret ? `logs a secret: ${text.slice(0, 300)}` : undefined;
    },
    close(): void {
      for (const [at, stream] of streams.entries()) stream.write = writes[at] as Write;
    },
  };
};
