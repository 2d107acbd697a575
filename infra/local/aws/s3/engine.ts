import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Operations } from '../host/in-process.ts';
import { type Credentials, ownCredentials } from '../host/signature.ts';
import { createObjectOperations } from './in-process.ts';
import { createS3Server } from './server.ts';
import { openStore } from './store.ts';

/** Time for open requests to end when the engine closes. */
const CLOSING_MS = 1000;

export interface S3Engine {
  /** `http://127.0.0.1:<port>`; the path names the bucket, the host name never does. */
  readonly endpoint: string;
  /** For clients of this process. */
  readonly operations: Operations;
  /** Stops listening, closes open connections and removes incomplete uploads. */
  close(): Promise<void>;
}

/**
 * Starts S3 on 127.0.0.1, for requests to any region signed with this key, by default the process's own. `path` is the
 * folder of the buckets, created if missing, which several processes can use concurrently; without it, a temporary folder
 * is used until the engine closes. `port` 0, the default, takes any free port.
 * @throws the system's error when the port is in use or the folder is unusable
 */
export const startS3 = async ({
  path,
  port = 0,
  credentials = ownCredentials(),
}: {
  path?: string;
  port?: number;
  credentials?: Credentials;
}): Promise<S3Engine> => {
  const folder = path ?? (await mkdtemp(join(tmpdir(), 's3-')));
  const store = await openStore(folder);
  const closeStore = async (): Promise<void> => {
    await store.close();
    if (path === undefined) await rm(folder, { recursive: true, force: true });
  };
  const { server, settled } = createS3Server(store, credentials);
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    await closeStore();
    throw error;
  }

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const listening = once(server, 'close');
    server.close();
    await Promise.race([settled(), setTimeout(CLOSING_MS, undefined, { ref: false })]);
    server.closeAllConnections();
    await settled();
    await listening;
    await closeStore();
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    operations: createObjectOperations(store),
    close: () => (closed ??= close()),
  };
};
