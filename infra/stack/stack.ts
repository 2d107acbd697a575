import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { hosts, listGroups } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import type { SettingName } from '../../shared/runtime/settings.ts';
import {
  type FunctionConfig,
  type FunctionName,
  functionConfigs,
} from '../functions/function-config.ts';
import { Alarms } from './alarms.ts';
import { ApiFunction } from './api-function.ts';
import { CustomDomain } from './custom-domain.ts';
import { StageDashboard } from './dashboard.ts';
import { DataTable } from './data-table.ts';
import { FilesBucket } from './files-bucket.ts';
import { HostApi } from './http-api.ts';
import { JobsQueue } from './jobs-queue.ts';
import { allowMailFrom } from './mail-sender.ts';
import { SigningSecret } from './signing-secret.ts';
import { getStackName, type OutputName } from './stack-name.ts';
import { getLongestTokenMs, type StackSettings } from './stack-settings.ts';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `share-page` as `SharePage`. */
const constructId = (name: string): string => name.split('-').map(capitalized).join('');

const allHosts = Object.keys(hosts) as Host[];

/** The setting that holds a host's origin. */
const urlSetting = { service: 'PUBLIC_URL', snippets: 'SNIPPETS_URL' } as const satisfies Record<
  Host,
  SettingName
>;

/** A stage of the whole service: a host for itself and one for snippets, a function for each group, what they share. */
export class HandbillStack extends Stack {
  readonly #settings: StackSettings;
  readonly #table: DataTable;
  readonly #signingSecret: SigningSecret;
  readonly #files: FilesBucket;
  readonly #jobs: JobsQueue;
  readonly #apis: Readonly<Record<Host, HostApi>>;
  readonly #functions: Record<string, IFunction> = {};

  constructor(scope: Construct, settings: StackSettings) {
    super(scope, getStackName(settings.stage), {
      description: `Handbill (${settings.stage}): snippet share pages and an admin backend`,
    });
    const { stage, ephemeral } = settings;
    this.#settings = settings;
    this.#table = new DataTable(this, 'Table', settings);
    this.#signingSecret = new SigningSecret(this, 'SigningSecret', ephemeral);
    this.#jobs = new JobsQueue(this, 'JobsQueue');
    this.#apis = {
      service: new HostApi(this, 'ServiceApi', 'service', settings),
      snippets: new HostApi(this, 'SnippetsApi', 'snippets', settings),
    };
    const origins = [this.#urlOf('service'), ...settings.corsOrigins];
    this.#files = new FilesBucket(this, 'FilesBucket', ephemeral, origins);
    for (const host of allHosts) this.#serve(host);
    this.#jobs.runBy(this.#functionFor('jobs'));
    if (!ephemeral) {
      const tableName = this.#table.tableName;
      const jobs = this.#jobs;
      const watched = { stage, apis: this.#apis, functions: this.#functions, tableName, jobs };
      new Alarms(this, 'Alarms', watched, settings.alarmEmail);
      new StageDashboard(this, 'StageDashboard', watched);
    }
    this.#tell('ServiceUrl', this.#urlOf('service'));
    this.#tell('SnippetsUrl', this.#urlOf('snippets'));
    this.#tell('TableName', this.#table.tableName);
    this.#tell('FilesBucketName', this.#files.bucketName);
    this.#tell('SigningSecretId', this.#signingSecret.secretArn);
    this.#tell('LongestTokenSeconds', String(getLongestTokenMs(settings) / 1_000));
    this.#tell('Ephemeral', String(ephemeral));
  }

  /** Serves a host's routes, each group by its function, and whatever else is asked of it. */
  #serve(host: Host): void {
    const api = this.#apis[host];
    for (const { name, routes } of listGroups(host)) {
      api.serve(name, routes, this.#functionFor(name));
    }
    api.serveRest(this.#fallbackOf(host));
    const { ownDomain, service } = this.#settings;
    const origin = service[urlSetting[host]];
    if (ownDomain && origin !== undefined) {
      new CustomDomain(this, `${capitalized(host)}Domain`, api, origin, ownDomain);
    } else if (origin !== undefined) {
      // What the chosen origin has to lead to.
      new CfnOutput(this, `${capitalized(host)}Endpoint`, { value: api.apiEndpoint });
    }
  }

  /** A function with the rights and settings that it needs, and no others. */
  #functionFor(purpose: FunctionName): IFunction {
    const needed = functionConfigs[purpose];
    const { logRetention } = this.#settings;
    const made = new ApiFunction(this, constructId(purpose), purpose, needed, logRetention);
    if (needed.table) {
      const { table, partitions = [], index } = needed;
      this.#table.allow(made.function, table, partitions, index);
      made.set('TABLE_NAME', this.#table.tableName);
    }
    this.#allowObjects(made, needed);
    if (needed.signingSecret) {
      this.#signingSecret.allow(made.function);
      made.set('JWT_SECRET_ID', this.#signingSecret.secretArn);
    }
    if (needed.jobs) {
      this.#jobs.allowSending(made.function);
      made.set('JOBS_QUEUE_URL', this.#jobs.queue.queueUrl);
    }
    const { MAIL_FROM } = this.#settings.service;
    if (needed.mail && MAIL_FROM !== undefined) allowMailFrom(made.function, MAIL_FROM);
    for (const name of needed.settings ?? []) {
      const value = this.#valueOf(name);
      if (value !== undefined) made.set(name, value);
    }
    this.#functions[purpose] = made.function;
    return made.function;
  }

  #allowObjects(
    made: ApiFunction,
    { texts, fileObjects, uploads, bucketName }: FunctionConfig,
  ): void {
    if (!texts && !fileObjects && !uploads && !bucketName) return;
    made.set('FILES_BUCKET', this.#files.bucketName);
    if (texts) this.#files.allow(made.function, 'texts', texts);
    if (fileObjects) this.#files.allow(made.function, 'files', fileObjects);
    if (uploads) this.#files.allow(made.function, 'uploads', uploads);
  }

  /** The function that answers what is no route of the host. */
  #fallbackOf(host: Host): IFunction {
    const made = new ApiFunction(
      this,
      `${capitalized(host)}Fallback`,
      'fallback',
      { memoryMb: 256, timeoutSeconds: 5 },
      this.#settings.logRetention,
    );
    made.set('API_HOST', host);
    this.#functions[`${host} fallback`] = made.function;
    return made.function;
  }

  /** A setting's value, chosen or known to the stack. What neither knows has a default in the service. */
  #valueOf(name: SettingName): string | undefined {
    if (name === urlSetting.service) return this.#urlOf('service');
    if (name === urlSetting.snippets) return this.#urlOf('snippets');
    return this.#settings.service[name];
  }

  #urlOf(host: Host): string {
    return this.#settings.service[urlSetting[host]] ?? this.#apis[host].apiEndpoint;
  }

  #tell(name: OutputName, value: string): void {
    new CfnOutput(this, name, { value });
  }
}
