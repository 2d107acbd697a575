import { once } from 'node:events';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Asked } from '../../../support/faults/aws-request.ts';
import type { Fault } from '../../../support/faults/fault.ts';
import { type ServiceProcess, startProcess } from '../../../support/run/process.ts';
import { keepSecretsOf } from '../../../support/run/secrets.ts';
import { readItems } from '../../../support/service/state.ts';
import type { FaultyEngines } from './engines.ts';

/** A request to a running service, equal for each attempt. */
export interface WholeRequest {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form is sent unchanged, other values as JSON. */
  readonly body?: unknown;
}

/** The status and parsed JSON body of a response. */
export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body
  readonly body: any;
}

const settingsOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));

/** Starts the service with the engines of this test file and a folder for its other data. */
export const startOnEngines = (folder: string): Promise<ServiceProcess> =>
  startProcess({
    ...settingsOf([
      'TABLE_NAME',
      'FILES_BUCKET',
      'JWT_SECRET',
      'RATE_LIMIT_FACTOR',
      'AWS_REGION',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ENDPOINT_URL_DYNAMODB',
      'AWS_ENDPOINT_URL_S3',
      'AWS_ENDPOINT_URL_SQS',
    ]),
    DATA_DIR: folder,
    MAIL_FROM: '',
  });

/** Sends a request to a service. Returns `undefined` if the service dies first. */
export const sendTo = async (
  { url }: ServiceProcess,
  { method, path, token, headers, body }: WholeRequest,
): Promise<Told | undefined> => {
  keepSecretsOf({ token, body });
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        connection: 'close',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const told = { status: response.status, body: await response.json() };
    keepSecretsOf(told);
    return told;
  } catch {
    return undefined;
  }
};

const isWrite = ({ operation }: Asked): boolean =>
  /^(Put|Update|Delete|TransactWrite|BatchWrite|Copy|Send)/.test(operation);

/** A point of a request: before one of its writes, or after it but before its response. */
export type CrashPoint = Omit<Fault, 'act'>;

/** Returns the points before and after each write. */
export const crashPointsOf = (asked: readonly Asked[]): CrashPoint[] => {
  const writes = asked.filter(isWrite);
  return writes.flatMap(({ service, operation }, at) => {
    const isSame = (one: Asked) => one.service === service && one.operation === operation;
    const nth = writes.slice(0, at + 1).filter(isSame).length;
    return (['act-before', 'act-after'] as const).map((kind) => ({
      kind,
      service,
      operation,
      nth,
    }));
  });
};

const kill = async ({ child }: ServiceProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
};

/** Sends a request and kills the service at a point of it, or afterwards if the point never occurs. */
export const sendAndKill = async (
  engines: FaultyEngines,
  service: ServiceProcess,
  request: WholeRequest,
  point: CrashPoint,
): Promise<{ readonly told: Told | undefined; readonly isMet: boolean }> => {
  const { result: told, met } = await engines.suffer([{ ...point, act: () => kill(service) }], () =>
    sendTo(service, request),
  );
  await kill(service);
  return { told, isMet: met[0] === 1 };
};

/** Lets the time be over that the function of a request which broke off could have had. */
export const endRunningRequests = async (): Promise<void> => {
  const running = (await readItems()).filter(
    ({ pk, claimedUntil }) => pk.startsWith('IDEMPOTENCY#') && claimedUntil !== undefined,
  );
  for (const item of running) {
    const Item = { ...item, claimedUntil: 0 };
    const RequestItems = { [tableName()]: [{ PutRequest: { Item } }] };
    await documentClient().send(new BatchWriteCommand({ RequestItems }));
  }
};
