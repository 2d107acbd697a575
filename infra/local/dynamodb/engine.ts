import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Credentials, ownCredentials } from '../host/signature.ts';
import { type EngineResponse, perform } from './answer.ts';
import { startSweeper } from './expired-items.ts';
import { createDynamoDbServer } from './server.ts';
import { openStore, type Store } from './store.ts';

export interface DynamoDbEngine {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** Carries out a request of this process without a connection; see `perform`. */
  perform(target: string, text: string): Promise<EngineResponse>;
  /** Deletes what its time to live has expired by now. */
  sweep(): Promise<void>;
  /** Stops listening, ends open connections and closes the store, whose folder is free then. */
  close(): Promise<void>;
}

export type EngineStartErrorCode = 'PORT_TAKEN' | 'FOLDER_IN_USE' | 'STORE_BROKEN';

/** Why the engine can't start; the message names the port or the folder. */
export class EngineStartError extends Error {
  readonly code: EngineStartErrorCode;

  constructor(code: EngineStartErrorCode, message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'EngineStartError';
    this.code = code;
  }
}

const getCause = (error: unknown): { code?: unknown; message?: unknown } =>
  error instanceof Error && error.cause instanceof Error ? error.cause : {};

const openFolder = async (path: string | undefined): Promise<Store> => {
  try {
    return await openStore(path);
  } catch (error) {
    const { code, message } = getCause(error);
    throw code === 'LEVEL_LOCKED'
      ? new EngineStartError('FOLDER_IN_USE', `Another process uses the folder ${path}`, error)
      : new EngineStartError(
          'STORE_BROKEN',
          `The DynamoDB store in ${path} can't be opened: ${message ?? error}`,
          error,
        );
  }
};

/**
 * Starts DynamoDB on 127.0.0.1, for requests signed with this key, this process's own unless it is given. `path` is the folder of the store, made if missing; without it
 * everything is in memory. `port` 0, the default, takes any free port.
 * Throws EngineStartError if the port is taken or the store can't be opened.
 */
export const startDynamoDb = async ({
  path,
  port = 0,
  credentials = ownCredentials(),
}: {
  path?: string;
  port?: number;
  credentials?: Credentials;
}): Promise<DynamoDbEngine> => {
  const store = await openFolder(path);
  const { server, settled } = createDynamoDbServer(store, credentials);
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    await store.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new EngineStartError('PORT_TAKEN', `Port ${port} is taken`, error);
  }
  const sweeper = startSweeper(store);

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const listening = once(server, 'close');
    server.close();
    await sweeper.stop();
    await settled();
    server.closeAllConnections();
    await listening;
    await store.close();
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    perform: (target, text) => perform(store, target, text),
    sweep: sweeper.sweep,
    close: () => (closed ??= close()),
  };
};
