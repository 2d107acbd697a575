import { vi } from 'vitest';

type Client = { send(command: unknown, ...rest: never[]): Promise<unknown> };

/** Does something else in place of the first command of this kind that a client sends; `go` sends it after all. */
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

/** Lets what sends the first command of this kind die there: it never hears of it. Resolves once it has come so far. */
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
