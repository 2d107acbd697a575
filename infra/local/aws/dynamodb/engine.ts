import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Client, runInProcess } from '../host/in-process.ts';
import { type Credentials, ownCredentials } from '../host/signature.ts';
import { createItemOperations } from './in-process.ts';
import { startSweeper } from './operations/time-to-live.ts';
import { createDynamoDbServer } from './server.ts';
import { Store } from './storage/store.ts';

export interface DynamoDbEngine {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** Makes a client of this process call the operations on items directly. Returns a function that undoes it. */
  connect(client: Client): () => void;
  /**
   * Holds back all changes of global indexes from now on, as if AWS had not propagated them yet. Returns a function that
   * applies them.
   */
  holdIndexes(): () => Promise<void>;
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

/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

const openStore = (path: string | undefined): Store => {
  try {
    return new Store(path);
  } catch (error) {
    const { errcode, message } = error as { errcode?: unknown; message?: unknown };
    throw errcode === SQLITE_BUSY
      ? new EngineStartError('FOLDER_IN_USE', `Another process uses the file ${path}`, error)
      : new EngineStartError(
          'STORE_CORRUPT',
          `Can’t open the DynamoDB store in ${path}: ${message}`,
          error,
        );
  }
};

/**
 * Starts DynamoDB on 127.0.0.1, for requests signed with this key, by default the process's own. `path` is the file of
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
  const store = openStore(path);
  const { server, settled } = createDynamoDbServer(store, credentials);
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    await store.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new EngineStartError('PORT_IN_USE', `Port ${port} is in use`, error);
  }
  const sweeper = startSweeper(store);
  const operations = createItemOperations(store);

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
    connect: (client) => runInProcess(client, operations),
    holdIndexes: () => store.holdIndexes(),
    sweep: sweeper.sweep,
    close: () => (closed ??= close()),
  };
};
