import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { listen } from './listen.ts';

/** So many of the newest mails are kept. */
const kept = 1_000;

interface Engine {
  readonly server: Server;
  /** Forgets the oldest mails. */
  trim(): void;
}

/** Loads the engine, which takes about 0.4 s of CPU. */
const loadEngine = async (): Promise<Engine> => {
  // The engine would pass every mail on to a real mail server: none leaves this machine.
  delete process.env['SMTP_TRANSPORT'];
  // Not imported: loaders disagree on what the default export of a CommonJS package is.
  const require = createRequire(import.meta.url);
  const { default: start }: typeof import('aws-ses-v2-local') = require('aws-ses-v2-local');
  const { getStoreReadonly }: typeof import('aws-ses-v2-local/dist/store.js') =
    require('aws-ses-v2-local/dist/store.js');
  const server = await start({ host: '127.0.0.1', port: 0 });
  // Requests are handed to it; a port that is taken would not be reported by it.
  server.close();
  return {
    server,
    trim: () => {
      const { emails } = getStoreReadonly();
      emails.splice(0, emails.length - kept);
    },
  };
};

/** Loads its engine at the first request, so that a start doesn't wait for it. */
const createMailServer = (): Server => {
  let engine: Promise<Engine> | undefined;
  return createServer(async (request, response) => {
    try {
      engine ??= loadEngine();
      const { server, trim } = await engine;
      response.once('finish', trim);
      server.emit('request', request, response);
    } catch (error) {
      response.writeHead(500).end(`The mail engine can't be loaded: ${error}\n`);
    }
  });
};

/** SES, and at the same address the page that shows the mails if it runs on this machine. */
export interface LocalMail {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Mail at an endpoint of SES, or without one in an engine of its own, on a port of 127.0.0.1. The engine delivers nothing
 * and keeps the newest mails in memory.
 * @throws StartError when the port is taken
 */
export const openMail = async (given: string | undefined, port: number): Promise<LocalMail> => {
  if (given !== undefined) return { endpoint: given, close: async () => {} };
  const server = createMailServer();
  return {
    endpoint: `http://127.0.0.1:${await listen(server, port, 'LOCAL_SES_PORT')}`,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
};
