import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { hosts, listGroups, listRoutes } from '../../../functions/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { deadLettersName, queueNames } from '../../../infra/local/jobs/queues.ts';
import { type Endpoint, listEndpoints } from '../../../shared/http/fallback.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { Event } from '../../../shared/http/http.ts';
import type { Route } from '../../../shared/http/route.ts';
import { type JobQueue, jobQueues } from '../../../shared/jobs/job-queue.ts';
import { sampleProvider, startSampleIssuer } from '../../support/issuer/sample-issuer.ts';
import { keepSecret } from '../../support/run/secrets.ts';
import { type AwsProxy, awsProxy, type Engines, type Recorded, type Spent } from './aws-proxy.ts';
import { startCalls } from './engines/calls.ts';
import { startSecrets } from './engines/secrets.ts';
import { type FunctionProcess, functionProcess } from './function-process.ts';
import { integrationsOf } from './integrations.ts';
import { accountId, type PhysicalName, region } from './intrinsics.ts';
import { type DeployedFunction, functionsOf, type Resources, synthesise } from './stack.ts';

const allHosts = Object.keys(hosts) as Host[];

const secretArn = `arn:aws:secretsmanager:${region}:${accountId}:secret:SigningSecret-AbCdEf`;

/** The secret of the providers' client secrets. */
const providerSecretsArn = secretArn.replace('SigningSecret', 'ProviderSecrets');

/** Long and unlike a word, because the service rejects weak secrets. */
const signingSecret = 'rT8vQ2mZ7xK4nB9cW3pL6sJ1hG5fD0yEaUiOqRtYwVbNmXzCkHgFdSpLjQeWrTyU';

/** The locally running stack. */
export interface Deployment {
  readonly resources: Resources;
  readonly functions: readonly DeployedFunction[];
  readonly processes: ReadonlyMap<string, FunctionProcess>;
  /** Proxies between the functions and AWS, by function. */
  readonly proxies: ReadonlyMap<string, AwsProxy>;
  /** AWS requests by the functions and by URLs that they signed. */
  readonly recorded: readonly Recorded[];
  /** Usage of each AWS request of the functions. */
  readonly spent: readonly Spent[];
  /** URL of each host. */
  readonly origins: Readonly<Record<Host, string>>;
  /** URLs of the queues for requests on behalf of the job function. */
  readonly queueUrls: Readonly<Record<JobQueue, string>>;
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Waits for the functions that other functions have called. */
  settled(): Promise<void>;
  /** Invokes the function that the template integrates with the route of the event. */
  route(host: Host, event: Pick<Event, 'routeKey'>): Promise<unknown>;
  close(): Promise<void>;
}

let running: Deployment | undefined;

/** Returns the deployment. @throws Error if nothing is deployed */
export const deployment = (): Deployment => {
  if (!running) throw new Error('Nothing is deployed');
  return running;
};

const hostOf = (isOf: (host: Host) => boolean): Host => {
  const host = allHosts.find(isOf);
  if (!host) throw new Error('These routes are those of no host');
  return host;
};

/** Returns the host of a route group. */
export const hostOfGroup = (routes: readonly Route[]): Host =>
  hostOf((host) => listGroups(host).some((group) => group.routes === routes));

/** Returns the host with exactly these endpoints. */
export const hostOfEndpoints = (endpoints: readonly Endpoint[]): Host =>
  hostOf((host) => isDeepStrictEqual(listEndpoints(listRoutes(host)), endpoints));

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Returns the name of a queue by its id in the template. */
const queueNameOf = (id: string): string => {
  const queue = jobQueues.find((one) => id.toLowerCase().startsWith(`jobqueues${one}`));
  return queue === undefined ? deadLettersName : queueNames[queue];
};

/** Returns the local names of the stack's resources; for a queue, its URL at a proxy. */
const namesFor =
  (resources: Resources, origins: Readonly<Record<Host, string>>, endpoint: string): PhysicalName =>
  (type, id, attribute) => {
    const properties = resources[id]?.Properties ?? {};
    const bucket = process.env['FILES_BUCKET'] ?? '';
    const names: Readonly<Record<string, string | undefined>> = {
      'AWS::DynamoDB::GlobalTable': process.env['TABLE_NAME'],
      'AWS::S3::Bucket': bucket,
      'AWS::S3::Bucket Arn': `arn:aws:s3:::${bucket}`,
      'AWS::SecretsManager::Secret': id.startsWith('ProviderSecrets')
        ? providerSecretsArn
        : secretArn,
      'AWS::SQS::Queue': `${endpoint}/${accountId}/${queueNameOf(id)}`,
      'AWS::SQS::Queue Arn': `arn:aws:sqs:${region}:${accountId}:${queueNameOf(id)}`,
      'AWS::SES::ConfigurationSet': id,
      'AWS::Lambda::Function': id,
      'AWS::Lambda::Function Arn': `arn:aws:lambda:${region}:${accountId}:function:${id}`,
      'AWS::Logs::LogGroup Arn': `arn:aws:logs:${region}:${accountId}:log-group:${id}:*`,
      'AWS::ApiGatewayV2::Api': id,
      'AWS::ApiGatewayV2::Api ApiEndpoint': allHosts
        .filter((host) => String(properties['Name']).endsWith(`-${host}`))
        .map((host) => origins[host])[0],
    };
    const name = names[attribute === undefined ? type : `${type} ${attribute}`];
    if (name === undefined) throw new Error(`${attribute ?? 'Ref'} of a ${type} is not known here`);
    return name;
  };

/** Replaces the issuer of the template, which is none, by that of the tests. */
const withIssuer = (deployed: DeployedFunction, origin: string): DeployedFunction => {
  const { environment } = deployed;
  if (environment['OIDC_WORK_ISSUER'] === undefined) return deployed;
  return { ...deployed, environment: { ...environment, OIDC_WORK_ISSUER: origin } };
};

const buildPreload = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'preload.mjs');
  // Compiled once, so that function processes need no compiler.
  await build({
    entryPoints: [join(import.meta.dirname, 'preload.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  return outfile;
};

/**
 * Deploys the stack locally: each function in a process with the settings of the template, between the gateway and the
 * engines. The engines must be running.
 */
export const deploy = async (engines: Engines): Promise<Deployment> => {
  // Outside the project, so that bundles cannot load its packages.
  const folder = mkdtempSync(join(tmpdir(), 'handbill-lambda-'));
  const outdir = join(folder, 'cdk.out');
  const resources = synthesise(outdir);
  const preload = await buildPreload(folder);
  keepSecret('signing secret', signingSecret);
  keepSecret('client secret', sampleProvider.clientSecret);
  const issuer = await startSampleIssuer();
  const secrets = await startSecrets({
    [secretArn]: signingSecret,
    [providerSecretsArn]: JSON.stringify({ [sampleProvider.name]: sampleProvider.clientSecret }),
  });
  const recorded: Recorded[] = [];
  const spent: Spent[] = [];
  const gateways = {
    service: createGateway(listGroups('service'), () => {}),
    snippets: createGateway(listGroups('snippets'), () => {}),
  };
  const origins = {
    // Passkeys need a name.
    service: (await listening(gateways.service)).replace('127.0.0.1', 'localhost'),
    snippets: await listening(gateways.snippets),
  };
  const processes = new Map<string, FunctionProcess>();
  const proxies = new Map<string, AwsProxy>();
  const nameById = new Map<string, string>();
  const called = await startCalls(async (id, event) => invoke(nameById.get(id) ?? id, event));
  const all = { ...engines, secretsmanager: secrets.endpoint, lambda: called.endpoint };
  const planned = functionsOf(resources, outdir, () =>
    namesFor(resources, origins, 'http://127.0.0.1:1'),
  );
  for (const { name } of planned) {
    const isRunning = () => processes.get(name)?.isRunning() ?? false;
    const record = (one: Recorded) => recorded.push(one);
    const spend = (one: Spent) => spent.push(one);
    proxies.set(name, await awsProxy(name, all, isRunning, record, spend));
  }
  const endpointOf = (name: string): string => proxies.get(name)?.endpoint ?? '';
  const functions = functionsOf(resources, outdir, (name) =>
    namesFor(resources, origins, endpointOf(name)),
  ).map((deployed) => withIssuer(deployed, issuer.origin));
  for (const deployed of functions) {
    nameById.set(deployed.id, deployed.name);
    const endpoint = { AWS_ENDPOINT_URL: endpointOf(deployed.name) };
    // The code uses this variable to choose path-style bucket addresses.
    const s3 = { AWS_ENDPOINT_URL_S3: endpoint.AWS_ENDPOINT_URL };
    processes.set(deployed.name, await functionProcess(deployed, preload, { ...endpoint, ...s3 }));
  }
  const integrations = integrationsOf(resources, functions);
  const invoke = async (functionName: string, event: unknown): Promise<unknown> => {
    const found = processes.get(functionName);
    if (!found) throw new Error(`There is no function ${functionName}`);
    return found.invoke(event);
  };
  running = {
    resources,
    functions,
    processes,
    proxies,
    recorded,
    spent,
    origins,
    queueUrls: {
      mail: `${endpointOf('jobs')}/${accountId}/${queueNames.mail}`,
      activity: `${endpointOf('jobs')}/${accountId}/${queueNames.activity}`,
      work: `${endpointOf('jobs')}/${accountId}/${queueNames.work}`,
      hooks: `${endpointOf('jobs')}/${accountId}/${queueNames.hooks}`,
    },
    invoke,
    settled: called.settled,
    async route(host, event) {
      const functionName = integrations.get(`${host} ${event.routeKey}`);
      if (functionName === undefined) throw new Error(`${host} has no route ${event.routeKey}`);
      return invoke(functionName, event);
    },
    async close() {
      for (const gateway of Object.values(gateways)) {
        gateway.closeAllConnections();
        gateway.close();
      }
      await Promise.all([...processes.values(), ...proxies.values()].map((each) => each.close()));
      await secrets.close();
      await called.close();
      rmSync(folder, { recursive: true, force: true });
      running = undefined;
    },
  };
  // Tests that create data without a request use the settings of the functions.
  Object.assign(process.env, {
    JWT_SECRET: signingSecret,
    PUBLIC_URL: origins.service,
    SNIPPETS_URL: origins.snippets,
  });
  return running;
};
