import { vi } from 'vitest';

type Client = { send(command: unknown, ...rest: never[]): Promise<unknown> };

/** A class of commands, or one of its expressions. */
type Kind = (abstract new (...args: never[]) => unknown) | { readonly expression: string };

const isOfKind = (command: unknown, kind: Kind): boolean =>
  'expression' in kind
    ? JSON.stringify((command as { readonly input: unknown }).input).includes(kind.expression)
    : command instanceof kind;

/** The command that settles the claim of a request or a job. */
export const settling = { expression: 'REMOVE claimedUntil' };

/** Replaces the first command of this kind that a client sends; `go` sends the original. */
export const instead = (
  client: object,
  kind: Kind,
  work: (go: () => Promise<unknown>) => Promise<unknown>,
): void => {
  const real = (client as Client).send.bind(client);
  let isDone = false;
  vi.spyOn(client as Client, 'send').mockImplementation((command, ...rest) => {
    const go = () => real(command, ...rest);
    if (isDone || !isOfKind(command, kind)) return go();
    isDone = true;
    return work(go);
  });
};

/** Resolves when the client sends the first command of this kind, which never gets a response. */
export const dieAt = (client: object, kind: Kind): Promise<void> =>
  new Promise((resolve) => {
    instead(client, kind, () => {
      resolve();
      return new Promise<never>(() => undefined);
    });
  });
