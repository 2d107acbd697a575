import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { hosts, listGroups } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import { jobQueues, queueUrlSettings } from '../../shared/jobs/job-queue.ts';
import type { SettingName } from '../../shared/runtime/settings.ts';
import { readCommit } from '../build/commit.ts';
import { packageVersion } from '../build/package-version.ts';
import type { FunctionConfig, FunctionName } from '../functions/config/function-config.ts';
import { functionConfigs } from '../functions/config/functions.ts';
import { listPublicKeys, listRouteKeys } from '../functions/route-keys.ts';
import { Alarms } from './alarms.ts';
import { ApiFunction } from './api-function.ts';
import { AssetStore } from './asset-store.ts';
import { connectEventBus } from './calls/event-bus.ts';
import { allowExports, prepareExports } from './calls/exports-function.ts';
import { CustomDomain } from './custom-domain.ts';
import { StageDashboard } from './dashboard.ts';
import { DataTable } from './data-table.ts';
import { Edge } from './edge/edge.ts';
import { FilesBucket } from './files-bucket.ts';
import { allowRouteLimits } from './gateway-brake.ts';
import { HostApi } from './http-api.ts';
import { JobQueues } from './job-queues.ts';
import { MailSender } from './mail-sender.ts';
import { MonthlyBudget } from './monthly-budget.ts';
import { ProviderSecrets } from './secrets/provider-secrets.ts';
import { SigningSecret } from './secrets/signing-secret.ts';
import { type Deployment, remember } from './settings/memory.ts';
import {
  dnsTargetOutputs,
  getStackName,
  type OptionalOutputName,
  type OutputName,
  unprotectedContext,
} from './stack-name.ts';
import { getLongestTokenMs, type StackSettings } from './stack-settings.ts';

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns `SharePage` for `share-page`. */
const toConstructId = (name: string): string => name.split('-').map(capitalize).join('');

const allHosts = Object.keys(hosts) as Host[];

/** The setting that holds a host's origin. */
const urlSetting = { service: 'PUBLIC_URL', snippets: 'SNIPPETS_URL' } as const satisfies Record<
  Host,
  SettingName
>;

/** A stage of the whole service: two APIs, a function for each group of routes, and shared resources. */
export class HandbillStack extends Stack {
  readonly #settings: StackSettings;
  readonly #table: DataTable;
  readonly #signingSecret: SigningSecret;
  readonly #providerSecrets: ProviderSecrets | undefined;
  readonly #files: FilesBucket;
  readonly #assets: AssetStore;
  readonly #jobs: JobQueues;
  readonly #mail: MailSender | undefined;
  readonly #apis: Readonly<Record<Host, HostApi>>;
  readonly #edge: Edge | undefined;
  /** The URL of each host. */
  readonly #urls: Readonly<Record<Host, string>>;
  readonly #functions: Record<string, LambdaFunction> = {};
  readonly #exporter: LambdaFunction;

  constructor(scope: Construct, settings: StackSettings, deployment?: Deployment) {
    super(scope, getStackName(settings.stage), {
      description: `Handbill (${settings.stage}): snippet share pages and an admin backend`,
      terminationProtection:
        !settings.ephemeral && scope.node.tryGetContext(unprotectedContext) === undefined,
    });
    const { stage, ephemeral } = settings;
    this.#settings = settings;
    this.#table = new DataTable(this, 'Table', settings);
    this.#signingSecret = new SigningSecret(this, 'SigningSecret', settings);
    const hasProviders = Object.keys(settings.providers).length > 0;
    this.#providerSecrets = hasProviders ? new ProviderSecrets(this, 'ProviderSecrets') : undefined;
    const { MAIL_FROM } = settings.service;
    this.#jobs = new JobQueues(this, 'JobQueues', {
      sendsMail: MAIL_FROM !== undefined,
      ownHooks: settings.webhookConcurrency !== undefined,
    });
    if (deployment) remember(this, this.#jobs.deadLetters, deployment);
    this.#mail =
      MAIL_FROM === undefined
        ? undefined
        : new MailSender(this, 'MailSender', MAIL_FROM, this.#jobs);
    this.#apis = {
      service: new HostApi(this, 'ServiceApi', 'service', settings),
      snippets: new HostApi(this, 'SnippetsApi', 'snippets', settings),
    };
    this.#edge = settings.edge && new Edge(this, 'Edge', settings.edge);
    const serviceUrl = this.#expose('service');
    this.#urls = { service: serviceUrl, snippets: this.#expose('snippets', serviceUrl) };
    const origins = [this.#urls.service, ...settings.corsOrigins];
    this.#files = new FilesBucket(this, 'FilesBucket', settings, origins);
    this.#assets = new AssetStore(this, 'AssetStore', this.#files, settings);
    for (const host of allHosts) this.#serve(host);
    this.#exporter = prepareExports(this.#createFunction('exports'));
    this.#jobs.connect(this.#createFunction('jobs'), settings.jobConcurrency);
    if (!ephemeral) {
      const tableName = this.#table.tableName;
      const jobs = this.#jobs;
      const monitored = { stage, apis: this.#apis, functions: this.#functions, tableName, jobs };
      // Without an address nobody would be told, and alarms cost money.
      if (settings.alarmEmail) new Alarms(this, 'Alarms', monitored, settings.alarmEmail);
      new StageDashboard(this, 'StageDashboard', monitored);
    }
    if (settings.monthlyBudget) new MonthlyBudget(this, 'MonthlyBudget', settings.monthlyBudget);
    this.#addOutput('ServiceUrl', this.#urls.service);
    this.#addOutput('SnippetsUrl', this.#urls.snippets);
    this.#addOutput('TableName', this.#table.tableName);
    this.#addOutput('FilesBucketName', this.#files.bucketName);
    this.#addOutput('SigningSecretId', this.#signingSecret.secretArn);
    if (this.#providerSecrets) {
      this.#addOutput('ProviderSecretsId', this.#providerSecrets.secretArn);
    }
    this.#addOutput('LongestTokenSeconds', String(getLongestTokenMs(settings) / 1_000));
    this.#addOutput('Ephemeral', String(ephemeral));
    const { spendingLimit } = settings;
    if (spendingLimit !== undefined) this.#addOutput('SpendingLimit', String(spendingLimit));
  }

  /** Connects a host's routes to the functions of their groups, and all other requests to the fallback. */
  #serve(host: Host): void {
    const api = this.#apis[host];
    const byGroup = Map.groupBy(listRouteKeys(host), ({ group }) => group.name);
    for (const { name, folder } of listGroups(host)) {
      const created = this.#createFunction(name, host);
      // Pages name the assets of their build, which are there before.
      if (folder.startsWith('web/')) created.node.addDependency(this.#assets.stored);
      api.serve(name, byGroup.get(name) ?? [], created);
    }
    api.serveRest(this.#createFallback(host));
  }

  /** Makes a host reachable at its configured origin, if there is one. Returns its URL. */
  #expose(host: Host, serviceUrl?: string): string {
    const { stage, customDomain, service } = this.#settings;
    const api = this.#apis[host];
    const origin = service[urlSetting[host]];
    if (customDomain && origin !== undefined) {
      const name = `${capitalize(host)}Domain`;
      const { target } = new CustomDomain(this, name, api, origin, customDomain);
      if (!customDomain.zone) this.#leaveDnsEntry(host, target);
      return origin;
    }
    const ofEdge = this.#edge?.add({ stage, host, api, origin, serviceUrl });
    if (origin === undefined) return ofEdge === undefined ? api.apiEndpoint : `https://${ofEdge}`;
    // What the operator puts before the API sends requests there.
    if (ofEdge === undefined) {
      new CfnOutput(this, `${capitalize(host)}Endpoint`, { value: api.apiEndpoint });
    } else if (!this.#settings.edge?.zone) {
      this.#leaveDnsEntry(host, ofEdge);
    }
    return origin;
  }

  /** Tells what the operator's DNS entry for a host leads to, wherever its DNS is. */
  #leaveDnsEntry(host: Host, target: string): void {
    this.#addOutput(dnsTargetOutputs[host], target);
  }

  /** Lets a function accept requests from the CDN only. The CDN changes first, to a secret that functions accept already. */
  #putBehindEdge(created: ApiFunction): void {
    if (!this.#edge) return;
    created.set('EDGE_SECRET_HASHES', this.#edge.secretHashes);
    created.function.node.addDependency(...this.#edge.distributions);
  }

  /** Creates a function with the rights and settings of its configuration, and for a group of routes its host. */
  #createFunction(name: FunctionName, host?: Host): LambdaFunction {
    const config = functionConfigs[name];
    const created = new ApiFunction(this, toConstructId(name), name, config, this.#settings);
    if (config.table) {
      const { table, partitions = [], index } = config;
      this.#table.allow(created.function, table, partitions, index);
      created.set('TABLE_NAME', this.#table.tableName);
    }
    this.#allowObjects(created, config);
    if (config.signingSecret) {
      this.#signingSecret.allow(created.function);
      created.set('JWT_SECRET_ID', this.#signingSecret.secretArn);
    }
    this.#connectProviders(created, config);
    for (const queue of config.queueState ? jobQueues : (config.jobs ?? [])) {
      created.set(queueUrlSettings[queue], this.#jobs.queues[queue].queueUrl);
    }
    this.#jobs.allowSending(created.function, config.jobs ?? []);
    if (config.queueState) this.#jobs.allowReadingState(created.function);
    if (config.mail && this.#mail) {
      this.#mail.allow(created.function);
      created.set('MAIL_CONFIGURATION_SET', this.#mail.configurationSetName);
    }
    for (const setting of config.settings ?? []) {
      const value = this.#getSetting(setting);
      if (value !== undefined) created.set(setting, value);
    }
    if (host) {
      created.set('API_HOST', host);
      this.#putBehindEdge(created);
    }
    if (config.events && this.#settings.events) {
      connectEventBus(created, { putsThem: config.putsEvents === true });
    }
    if (config.gateway) this.#allowRouteLimits(created);
    if (config.callsExports) allowExports(created, this.#exporter);
    this.#meter(created);
    this.#functions[name] = created.function;
    return created.function;
  }

  /** Lets a function know the providers, and read their secrets. */
  #connectProviders(created: ApiFunction, { providers, providerSecrets }: FunctionConfig): void {
    for (const [name, value] of providers ? Object.entries(this.#settings.providers) : []) {
      created.set(name as `OIDC_${string}`, value);
    }
    if (!providerSecrets || !this.#providerSecrets) return;
    this.#providerSecrets.allow(created.function);
    created.set('PROVIDER_SECRETS_ID', this.#providerSecrets.secretArn);
  }

  /** Lets a function write what its requests cost, if there is a limit. */
  #meter(created: ApiFunction): void {
    const { spendingLimit } = this.#settings;
    if (spendingLimit === undefined) return;
    created.set('SPENDING_LIMIT', String(spendingLimit));
    created.set('TABLE_NAME', this.#table.tableName);
    this.#table.allow(created.function, ['UpdateItem'], ['SPENDING#*']);
  }

  /** Lets a function slow the routes of both APIs down; also without a limit, so that it ends what one has begun. */
  #allowRouteLimits(created: ApiFunction): void {
    for (const host of allHosts) allowRouteLimits(created.function, this.#apis[host]);
    const routes = allHosts.map((host) => ({
      api: this.#apis[host].apiId,
      keys: listPublicKeys(host),
    }));
    created.set('GATEWAY_PUBLIC_ROUTES', this.toJsonString(routes));
  }

  #allowObjects(created: ApiFunction, config: FunctionConfig): void {
    const isAllowed = this.#files.allowConfigured(created.function, config);
    if (isAllowed || config.bucketName) created.set('FILES_BUCKET', this.#files.bucketName);
  }

  /** Creates the function for requests that match no route of the host. */
  #createFallback(host: Host): LambdaFunction {
    const created = new ApiFunction(
      this,
      `${capitalize(host)}Fallback`,
      'fallback',
      { memoryMb: 256, timeoutSeconds: 5 },
      this.#settings,
    );
    created.set('API_HOST', host);
    created.function.node.addDependency(this.#assets.stored);
    this.#putBehindEdge(created);
    this.#meter(created);
    this.#functions[`${host} fallback`] = created.function;
    return created.function;
  }

  /** Returns a setting's value if it is configured or known to the stack; otherwise the service has a default. */
  #getSetting(name: SettingName): string | undefined {
    if (name === 'VERSION') return packageVersion;
    if (name === 'COMMIT') return readCommit();
    if (name === urlSetting.service) return this.#urls.service;
    if (name === urlSetting.snippets) return this.#urls.snippets;
    if (name === 'WEBHOOK_CONCURRENCY') return String(this.#settings.jobConcurrency.hooks);
    if (name === 'CORS_ORIGINS') return this.#settings.corsOrigins.join() || undefined;
    return this.#settings.service[name];
  }

  #addOutput(name: OutputName | OptionalOutputName, value: string): void {
    new CfnOutput(this, name, { value });
  }
}
