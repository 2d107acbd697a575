import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Credentials, ownCredentials } from '../host/signature.ts';
import { createS3Server } from './server.ts';

import { openStore } from './store.ts';

/** How long requests under way may take when the engine closes. */
const CLOSING_MS = 1000;

export interface S3Engine {
  /** `http://127.0.0.1:<port>`; buckets are in the path, never in the host's name. */
  readonly endpoint: string;
  /** Stops listening, ends open connections and removes what was half uploaded. */
  close(): Promise<void>;
}

/**
 * Starts S3 on 127.0.0.1, for requests signed with this key, this process's own unless it is given,
 * and for any region. `path` is the folder
 * of the buckets, made if missing, which several processes may use at once; without it they are in
 * a temporary one, gone when the engine closes. `port` 0, the default, takes any free port.
 * Rejects with the error of the system if the port is taken or the folder can't be used.
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
    close: () => (closed ??= close()),
  };
};
