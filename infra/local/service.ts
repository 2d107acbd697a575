import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { listGroups } from '../../functions/routes.ts';
import { fallbackPages } from '../../functions/web/fallback/pages.ts';
import { dynamoDbClient } from '../../shared/db/dynamodb.ts';
import { getSetting, SettingError } from '../../shared/runtime/settings.ts';
import { assertSettings } from '../../shared/runtime/settings-check.ts';
import { readCommit } from '../build/commit.ts';
import { packageVersion } from '../build/package-version.ts';
import { type DynamoDbEngine, EngineStartError, startDynamoDb } from './aws/dynamodb/engine.ts';
import { listen } from './aws/host/listen.ts';
import { StartError } from './aws/host/start-error.ts';
import { type AccessKey, loadAccessKey, signWith } from './data/access-key.ts';
import { openDataFolder } from './data/data-folder.ts';
import { configuredEndpoint } from './endpoint.ts';
import { type LocalExports, openExports } from './exports/exports.ts';
import { type LocalFiles, openFiles } from './files/files.ts';
import { ensureFirstAdmin, type FirstAdmin } from './first-admin.ts';
import { type AccessLogEntry, createGateway } from './gateway.ts';
import { type LocalJobs, openJobs } from './jobs/jobs.ts';
import { type LocalMail, openMail } from './mail.ts';
import { type LocalOptions, readOptions } from './options.ts';
import { loadSecret } from './signing-secret.ts';
import { ensureTable } from './table.ts';

/** The whole service, running on this machine. */
export interface LocalService {
  readonly url: string;
  readonly snippetsUrl: string;
  /** Where people elsewhere upload and download; undefined when that works on this machine only. */
  readonly filesUrl: string | undefined;
  readonly dynamoDbUrl: string;
  readonly s3Url: string;
  /** The page that shows emails; undefined when email is disabled. */
  readonly mailUrl: string | undefined;
  /** The key of the data folder; undefined when the key of the environment is used. */
  readonly accessKey: AccessKey | undefined;
  readonly admin: FirstAdmin;
  /** Lets running requests end, then closes the engines. */
  close(): Promise<void>;
}

const startEngine = async (options: LocalOptions): Promise<DynamoDbEngine> => {
  const { DATA_DIR: folder, LOCAL_DYNAMODB_PORT: port } = options;
  if (existsSync(join(folder, 'dynamodb', 'CURRENT'))) {
    throw new StartError(
      `The data in ${folder} is in an earlier format. Delete it, or set DATA_DIR to another folder.`,
    );
  }
  try {
    return await startDynamoDb({ path: join(folder, 'dynamodb.db'), port });
  } catch (error) {
    if (!(error instanceof EngineStartError)) throw error;
    const messages = {
      PORT_IN_USE: `Port ${port} is in use. Set LOCAL_DYNAMODB_PORT to another port.`,
      FOLDER_IN_USE: `The data folder ${folder} is in use. Stop the other process, or set DATA_DIR to another folder.`,
      STORE_CORRUPT: `Can’t open the data in ${folder}. Restore a backup, or set DATA_DIR to another folder.`,
    } as const;
    throw new StartError(messages[error.code], { cause: error });
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
      `Can’t reach DynamoDB at ${endpoint}. Check that it is running and your permissions.`,
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

/** Web pages could guess shorter secrets, such as `test`. */
const minSecretLength = 16;

/**
 * Chooses the key for this process's clients and local engines: the key of the data folder, or with an external engine the
 * key of the environment, if there is one. Returns undefined for the latter.
 * @throws StartError when a local engine would accept a secret that can be guessed
 */
const chooseKey = async (dataDir: string): Promise<AccessKey | undefined> => {
  const external = endpointNames
    .map(configuredEndpoint)
    .filter((endpoint) => endpoint !== undefined);
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: secret, AWS_PROFILE } = process.env;
  const hasOther = Boolean(AWS_ACCESS_KEY_ID || AWS_PROFILE) || !external.every(isLoopback);
  if (external.length > 0 && hasOther) {
    if (external.length < endpointNames.length && secret && secret.length < minSecretLength) {
      throw new StartError(
        `Set AWS_SECRET_ACCESS_KEY to at least ${minSecretLength} characters, or unset it. The local engines accept it.`,
      );
    }
    return undefined;
  }
  const key = await loadAccessKey(dataDir);
  if (!key) {
    throw new StartError(
      `Missing key in ${join(dataDir, 'aws-credentials')}. Delete the file; the next start creates a key.`,
    );
  }
  signWith(key);
  return key;
};

/** Enables email by default with the local engine, which has no quota; another SES requires MAIL_FROM. */
const configureMail = (endpoint: string): void => {
  setDefaults({ AWS_ENDPOINT_URL_SESV2: endpoint });
  if (!isLoopback(endpoint)) return;
  process.env['MAIL_FROM'] ??= 'handbill@example.com';
  process.env['MAIL_RATE'] ??= '1000';
};

/**
 * Sets defaults for the service's settings.
 * @throws StartError for an invalid setting
 */
const configure = async ({
  port,
  snippetsPort,
  options: { DATA_DIR: dataDir, FILES_URL, TRUSTED_PROXIES },
}: {
  port: number;
  snippetsPort: number;
  options: LocalOptions;
}): Promise<void> => {
  setDefaults({
    VERSION: packageVersion,
    COMMIT: readCommit(),
    TABLE_NAME: 'handbill',
    PUBLIC_URL: `http://localhost:${port}`,
    // Browsers share cookies between the ports of a host name.
    SNIPPETS_URL: `http://127.0.0.1:${snippetsPort}`,
    // Only a public service needs strict limits, and it must know who sends what.
    RATE_LIMIT_FACTOR: TRUSTED_PROXIES > 0 ? '1' : '100',
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
  if (FILES_URL === undefined) return;
  if (new URL(FILES_URL).origin === getSetting('PUBLIC_URL')) {
    throw new StartError(
      'Set FILES_URL to an address on another host than PUBLIC_URL, such as that of SNIPPETS_URL: people’s files stay out of the origin that they sign in to.',
    );
  }
  process.env['FILES_URL'] = FILES_URL;
};

/** Returns the port of an engine: any free one, unless a proxy has to find it. */
const choosePort = (
  given: number | undefined,
  address: string | undefined,
  next: number,
  { PORT }: LocalOptions,
): number => given ?? (address === undefined || PORT === 0 ? 0 : PORT + next);

/**
 * Starts the whole service with the settings of the environment, on 127.0.0.1. `beforeJobs` runs while requests are served and
 * no job is: with it, only what it delivers itself.
 * @throws StartError whose message says what to do
 */
export const startService = async (
  onResponse: (entry: AccessLogEntry) => void,
  beforeJobs?: (url: string, jobs: LocalJobs) => Promise<void>,
): Promise<LocalService> => {
  const options = readOptions(process.env);
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  const servers: Server[] = [];
  let engine: DynamoDbEngine | undefined;
  let files: LocalFiles | undefined;
  let jobs: LocalJobs | undefined;
  let exports: LocalExports | undefined;
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
    await exports?.close();
    // Running jobs send email until they are closed.
    await mail?.close();
    await files?.close();
    await engine?.close();
  };
  try {
    await openDataFolder(options.DATA_DIR);
    const accessKey = await chooseKey(options.DATA_DIR);
    const { CORS_ORIGINS, TRUSTED_PROXIES: trustedProxies } = options;
    const { service: servicePages, snippets: snippetPages } = fallbackPages;
    // The settings contain the ports, so the gateways listen first and hold requests until the service is ready.
    const [service, snippets] = [
      createGateway(listGroups('service'), onResponse, {
        corsOrigins: CORS_ORIGINS,
        failurePage: servicePages,
        ready,
        trustedProxies,
      }),
      createGateway(listGroups('snippets'), onResponse, {
        failurePage: snippetPages,
        ready,
        trustedProxies,
      }),
    ];
    const port = await listen(service, options.PORT, 'PORT');
    servers.push(service);
    const snippetsPort = await listen(
      snippets,
      options.SNIPPETS_PORT ?? (options.PORT === 0 ? 0 : port + 1),
      'SNIPPETS_PORT',
    );
    servers.push(snippets);
    const given = configuredEndpoint('AWS_ENDPOINT_URL_DYNAMODB');
    engine = given === undefined ? await startEngine(options) : undefined;
    const endpoint = given ?? engine?.endpoint ?? '';
    setDefaults({ AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB: endpoint });
    engine?.connect(dynamoDbClient());
    files = await openFiles(
      configuredEndpoint('AWS_ENDPOINT_URL_S3'),
      join(options.DATA_DIR, 's3'),
      choosePort(options.LOCAL_S3_PORT, options.FILES_URL, 2, options),
    );
    setDefaults({ AWS_ENDPOINT_URL_S3: files.endpoint, FILES_BUCKET: 'handbill-files' });
    jobs = await openJobs(configuredEndpoint('AWS_ENDPOINT_URL_SQS'), options.DATA_DIR);
    exports = openExports();
    mail = await openMail(
      configuredEndpoint('AWS_ENDPOINT_URL_SESV2'),
      choosePort(options.LOCAL_SES_PORT, options.MAILBOX_URL, 3, options),
      options.MAILBOX_URL,
    );
    configureMail(mail.endpoint);
    await configure({ port, snippetsPort, options });
    await prepareTable(endpoint);
    await files.prepareBucket(getSetting('FILES_BUCKET'), [
      getSetting('PUBLIC_URL'),
      // Other processes may share the bucket.
      'http://localhost:*',
      ...options.CORS_ORIGINS,
    ]);
    const admin = await ensureFirstAdmin(options.ADMIN_EMAIL, options.ADMIN_PASSWORD);
    markReady();
    await beforeJobs?.(getSetting('PUBLIC_URL'), jobs);
    jobs.start();
    return {
      url: getSetting('PUBLIC_URL'),
      snippetsUrl: getSetting('SNIPPETS_URL'),
      filesUrl: options.FILES_URL,
      dynamoDbUrl: endpoint,
      s3Url: files.endpoint,
      mailUrl: getSetting('MAIL_FROM') && mail.page,
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
