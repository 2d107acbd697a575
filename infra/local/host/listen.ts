import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';

/** Why a port can't be listened on, as a StartError that names its setting; every other failure as it is. */
export const explainPort = (error: unknown, port: number, name: string): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${port} is taken: set ${name} to a free one.`);
  }
  if (code === 'EACCES') {
    return new StartError(`Port ${port} may not be used: set ${name} to one above 1023.`);
  }
  return error;
};

/**
 * Listens on 127.0.0.1; port 0 is any free one. Answers the port.
 * @throws StartError that names the port's setting
 */
export const listen = async (server: Server, port: number, name: string): Promise<number> => {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    throw explainPort(error, port, name);
  }
  return (server.address() as AddressInfo).port;
};
