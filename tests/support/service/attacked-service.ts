import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type FreshService, startFreshService } from '../run/fresh-service.ts';

/** Labels of the listeners in the startup output. */
const labels = {
  service: 'running at',
  snippets: 'Snippets',
  DynamoDB: 'DynamoDB',
  S3: 'S3',
  email: 'Email',
} as const;

/** A listener in the output of `npm start`. */
export type Listener = keyof typeof labels;

export interface AttackedService extends FreshService {
  /** Addresses as printed; that of email includes its path. */
  readonly addresses: Readonly<Record<Listener, string>>;
}

/** Adds to a service the addresses of its listeners. */
export const withAddresses = (service: FreshService): AttackedService => {
  const find = (label: string) =>
    service.output().match(new RegExp(`${label} +(http://\\S+)`))?.[1] ?? '';
  const addresses = Object.fromEntries(
    Object.entries(labels).map(([listener, label]) => [listener, find(label)]),
  );
  return { ...service, addresses: addresses as Record<Listener, string> };
};

/** Starts the service as `npm start` does. Its table is as after the first start; emails and objects may be older. */
export const startAttacked = async (
  settings: Record<string, string> = {},
): Promise<AttackedService> => withAddresses(await startFreshService(settings));

/** Returns the origins of all listeners. */
export const originsOf = ({ addresses }: AttackedService): string[] =>
  Object.values(addresses).map((address) => new URL(address).origin);

export interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request with exactly these headers; fetch would add or change some. */
export const ask = async (
  url: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<{
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}> => {
  const { port, pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const request = httpRequest({ host: '127.0.0.1', port, path, method, headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode,
    headers: response.headers,
    text: await text(response),
  };
};
