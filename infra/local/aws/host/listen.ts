import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';

/** Returns a StartError that names the setting of an unusable port, or the error itself if it has another cause. */
export const toPortError = (error: unknown, port: number, name: string): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${port} is in use. Set ${name} to another port.`);
  }
  if (code === 'EACCES') {
    return new StartError(`Port ${port} is not permitted. Set ${name} to another port.`);
  }
  return error;
};

/**
 * Listens on 127.0.0.1 and returns the port. Port 0 takes any free port.
 * @throws StartError that names the port's setting
 */
export const listen = async (server: Server, port: number, name: string): Promise<number> => {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    throw toPortError(error, port, name);
  }
  return (server.address() as AddressInfo).port;
};
