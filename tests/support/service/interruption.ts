import { vi } from 'vitest';

type Client = { send(command: unknown, ...rest: never[]): Promise<unknown> };

/** Replaces the first command of this kind that a client sends; `go` sends the original. */
export const instead = (
  client: object,
  kind: abstract new (...args: never[]) => unknown,
  work: (go: () => Promise<unknown>) => Promise<unknown>,
): void => {
  const real = (client as Client).send.bind(client);
  let isDone = false;
  vi.spyOn(client as Client, 'send').mockImplementation((command, ...rest) => {
    const go = () => real(command, ...rest);
    if (isDone || !(command instanceof kind)) return go();
    isDone = true;
    return work(go);
  });
};

/** Resolves when the client sends the first command of this kind, which never gets a response. */
export const dieAt = (
  client: object,
  kind: abstract new (...args: never[]) => unknown,
): Promise<void> =>
  new Promise((resolve) => {
    instead(client, kind, () => {
      resolve();
      return new Promise<never>(() => undefined);
    });
  });
