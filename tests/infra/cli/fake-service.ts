import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { useServer } from '../../support/run/server.ts';

/** A request, with how often one like it came before. */
export interface FakeRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly before: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Responds with JSON, once the body is read. */
  answer(status: number, body: unknown): void;
  /** Reads the body. */
  read(): Promise<Buffer>;
}

/** Starts a service for the tests of a file that does what each test says. */
export const useFakeService = () => {
  let act: (request: FakeRequest) => void = () => {};
  let all: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const http = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    const before = all.filter((one) => one.line === line).length;
    const { headers } = request;
    all.push({ line, headers });
    const answer = (status: number, body: unknown) => {
      const write = () => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (request.readableEnded) write();
      else request.resume().on('end', write);
    };
    act({ line, headers, before, request, response, answer, read: () => buffer(request) });
  });
  const server = useServer(http);
  return {
    get url(): string {
      return server.origin;
    },
    /** Returns the requests so far. */
    received: () => all,
    /** Says how to respond from now on, and forgets the requests so far. */
    respond: (next: (request: FakeRequest) => void) => {
      act = next;
      all = [];
    },
  };
};
