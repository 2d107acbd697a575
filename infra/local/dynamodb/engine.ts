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
  /** Performs a request of this process without a connection, as `perform` does. */
  perform(target: string, text: string): Promise<EngineResponse>;
  /** Deletes expired items. */
  sweep(): Promise<void>;
  /** Stops listening, closes open connections and the store, and releases its folder. */
  close(): Promise<void>;
}

export type EngineStartErrorCode = 'PORT_IN_USE' | 'FOLDER_IN_USE' | 'STORE_CORRUPT';

/** Reports that the engine can't start. The message names the port or the folder. */
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
          'STORE_CORRUPT',
          `Can’t open the DynamoDB store in ${path}: ${message ?? error}`,
          error,
        );
  }
};

/**
 * Starts DynamoDB on 127.0.0.1, for requests signed with this key, by default the process's own. `path` is the folder of
 * the store, created if missing; without it the data is in memory. `port` 0, the default, takes any free port.
 * @throws EngineStartError when the port is in use or the store can't be opened
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
    throw new EngineStartError('PORT_IN_USE', `Port ${port} is in use`, error);
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
