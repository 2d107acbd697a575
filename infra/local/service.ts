import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { listGroups } from '../../functions/routes.ts';
import { fallbackPages } from '../../functions/web/fallback/pages.ts';
import { assertSettings, getSetting, SettingError } from '../../shared/runtime/settings.ts';
import { type DynamoDbEngine, EngineStartError, startDynamoDb } from './dynamodb/engine.ts';
import { configuredEndpoint } from './endpoint.ts';
import { ensureFirstAdmin, type FirstAdmin } from './first-admin.ts';
import { type AccessLogEntry, createGateway } from './gateway.ts';
import { type AccessKey, loadAccessKey, signWith } from './host/access-key.ts';
import { openDataFolder } from './host/data-folder.ts';
import { listen } from './host/listen.ts';
import { StartError } from './host/start-error.ts';
import { type LocalJobs, openJobs } from './jobs/jobs.ts';
import { type LocalMail, openMail } from './mail.ts';
import { type LocalOptions, readOptions } from './options.ts';
import { type LocalFiles, openFiles } from './s3/files.ts';
import { loadSecret } from './signing-secret.ts';
import { ensureTable } from './table.ts';

/** The whole service, running on this machine. */
export interface LocalService {
  readonly url: string;
  readonly snippetsUrl: string;
  readonly dynamoDbUrl: string;
  readonly s3Url: string;
  readonly sqsUrl: string;
  /** Where the mails are to be seen; undefined while mail is off. */
  readonly mailUrl: string | undefined;
  /** The key of the data folder; undefined when the environment's is used. */
  readonly accessKey: AccessKey | undefined;
  readonly admin: FirstAdmin;
  /** Lets running requests end, then closes the engines. */
  close(): Promise<void>;
}

const startEngine = async (options: LocalOptions): Promise<DynamoDbEngine> => {
  const { DATA_DIR: folder, LOCAL_DYNAMODB_PORT: port } = options;
  try {
    return await startDynamoDb({ path: join(folder, 'dynamodb'), port });
  } catch (error) {
    if (!(error instanceof EngineStartError)) throw error;
    const sentences = {
      PORT_TAKEN: `Port ${port} is taken: set LOCAL_DYNAMODB_PORT to a free one.`,
      FOLDER_IN_USE: `The data folder ${folder} is in use: stop the other process, or set DATA_DIR to another folder.`,
      STORE_BROKEN: `The data in ${folder} can't be opened: restore a copy of it, or set DATA_DIR to another folder.`,
    } as const;
    throw new StartError(sentences[error.code], { cause: error });
  }
};

const setDefaults = (values: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(values)) process.env[name] ||= value;
};

const isLoopback = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

const prepareTable = async (endpoint: string): Promise<void> => {
  try {
    await ensureTable(getSetting('TABLE_NAME'));
  } catch (cause) {
    throw new StartError(
      `No table can be had at ${endpoint}: see that DynamoDB runs there and that you may use it.`,
      { cause },
    );
  }
};

const endpointNames = [
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL_SQS',
  'AWS_ENDPOINT_URL_SESV2',
];

/** Secrets shorter than this, such as `test`, can be guessed by a page. */
const leastSecretLength = 16;

/**
 * Chooses the key that this process's clients sign with, and that its own engines take: that of the data folder, but with an
 * engine from elsewhere the environment's if it has one.
 * @throws StartError when an own engine would take a secret that can be guessed
 */
const chooseKey = async (dataDir: string): Promise<AccessKey | undefined> => {
  const given = endpointNames.map(configuredEndpoint).filter((endpoint) => endpoint !== undefined);
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: secret, AWS_PROFILE } = process.env;
  const hasOther = Boolean(AWS_ACCESS_KEY_ID || AWS_PROFILE) || !given.every(isLoopback);
  if (given.length > 0 && hasOther) {
    if (given.length < endpointNames.length && secret && secret.length < leastSecretLength) {
      throw new StartError(
        `Set AWS_SECRET_ACCESS_KEY to at least ${leastSecretLength} characters, or to nothing: the engines on this machine take it.`,
      );
    }
    return undefined;
  }
  const key = await loadAccessKey(dataDir);
  if (!key) {
    throw new StartError(
      `There is no key in ${join(dataDir, 'aws-credentials')}: delete the file, and the next start makes one up.`,
    );
  }
  signWith(key);
  return key;
};

/** Mail is on unless MAIL_FROM is set to nothing; at another's SES only from an address that is set. */
const configureMail = (endpoint: string): void => {
  setDefaults({ AWS_ENDPOINT_URL_SESV2: endpoint });
  if (isLoopback(endpoint)) process.env['MAIL_FROM'] ??= 'handbill@example.com';
};

/** The service's own settings, where the environment has none: the table, an address, a secret. */
const configure = async ({
  port,
  snippetsPort,
  dataDir,
}: {
  port: number;
  snippetsPort: number;
  dataDir: string;
}): Promise<void> => {
  setDefaults({
    TABLE_NAME: 'handbill',
    PUBLIC_URL: `http://localhost:${port}`,
    // Another name as well as another port: browsers share cookies between the ports of one name.
    SNIPPETS_URL: `http://127.0.0.1:${snippetsPort}`,
    // Limits protect a service that is open to the world.
    RATE_LIMIT_FACTOR: '100',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  if (!process.env['JWT_SECRET'] && !process.env['JWT_SECRET_ID']) {
    setDefaults({ JWT_SECRET: await loadSecret(dataDir) });
  }
  try {
    assertSettings();
  } catch (error) {
    throw error instanceof SettingError ? new StartError(error.message) : error;
  }
};

/**
 * Starts the whole service from the environment's settings, everything bound to 127.0.0.1.
 * @throws StartError with one sentence that says what to do
 */
export const startService = async (
  onResponse: (entry: AccessLogEntry) => void,
): Promise<LocalService> => {
  const options = readOptions(process.env);
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  const servers: Server[] = [];
  let engine: DynamoDbEngine | undefined;
  let files: LocalFiles | undefined;
  let jobs: LocalJobs | undefined;
  let mail: LocalMail | undefined;
  const close = async () => {
    await Promise.all(
      servers.map(async (server) => {
        const closed = once(server, 'close');
        server.close();
        server.closeIdleConnections();
        await closed;
      }),
    );
    await jobs?.close();
    // Jobs send mail until they are closed.
    await mail?.close();
    await files?.close();
    await engine?.close();
  };
  try {
    await openDataFolder(options.DATA_DIR);
    const accessKey = await chooseKey(options.DATA_DIR);
    const { CORS_ORIGINS } = options;
    const { service: servicePages, snippets: snippetPages } = fallbackPages;
    // The settings contain the ports, so the gateways listen first and hold requests until the service is ready.
    const [service, snippets] = [
      createGateway(listGroups('service'), onResponse, CORS_ORIGINS, servicePages, ready),
      createGateway(listGroups('snippets'), onResponse, [], snippetPages, ready),
    ];
    const port = await listen(service, options.PORT, 'PORT');
    servers.push(service);
    const wanted = options.SNIPPETS_PORT ?? (options.PORT === 0 ? 0 : port + 1);
    const snippetsPort = await listen(snippets, wanted, 'SNIPPETS_PORT');
    servers.push(snippets);
    const given = configuredEndpoint('AWS_ENDPOINT_URL_DYNAMODB');
    engine = given === undefined ? await startEngine(options) : undefined;
    const endpoint = given ?? engine?.endpoint ?? '';
    setDefaults({ AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint });
    files = await openFiles(
      configuredEndpoint('AWS_ENDPOINT_URL_S3'),
      join(options.DATA_DIR, 's3'),
      options.LOCAL_S3_PORT,
    );
    setDefaults({ AWS_ENDPOINT_URL_S3: files.endpoint, FILES_BUCKET: 'handbill-files' });
    jobs = await openJobs(configuredEndpoint('AWS_ENDPOINT_URL_SQS'), options.LOCAL_SQS_PORT);
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SQS: jobs.endpoint,
      JOBS_QUEUE_URL: jobs.queueUrl,
    });
    mail = await openMail(configuredEndpoint('AWS_ENDPOINT_URL_SESV2'), options.LOCAL_SES_PORT);
    configureMail(mail.endpoint);
    await configure({ port, snippetsPort, dataDir: options.DATA_DIR });
    await prepareTable(endpoint);
    await files.prepareBucket(getSetting('FILES_BUCKET'), [
      getSetting('PUBLIC_URL'),
      // Those of another process, which may share the bucket.
      'http://localhost:*',
      ...options.CORS_ORIGINS,
    ]);
    const admin = await ensureFirstAdmin(options.ADMIN_EMAIL, options.ADMIN_PASSWORD);
    jobs.start();
    markReady();
    return {
      url: getSetting('PUBLIC_URL'),
      snippetsUrl: getSetting('SNIPPETS_URL'),
      dynamoDbUrl: endpoint,
      s3Url: files.endpoint,
      sqsUrl: jobs.endpoint,
      mailUrl: getSetting('MAIL_FROM') && mail.endpoint,
      accessKey,
      admin,
      close,
    };
  } catch (error) {
    // Held requests would keep the servers open.
    for (const server of servers) server.closeAllConnections();
    await close();
    throw error;
  }
};
