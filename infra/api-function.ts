import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import {
  type BundlingOptions,
  type ICommandHooks,
  LogLevel,
  NodejsFunction,
  OutputFormat,
  SourceMapMode,
} from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { SettingName } from '../shared/settings.ts';
import type { Needs, Purpose } from './needs.ts';

const projectRoot = join(import.meta.dirname, '..');

/**
 * The worker is a file of its own beside the bundle, where functions/markdown/markdown.ts looks for it. Without the
 * extras it has no highlighter.
 */
const buildMarkdownWorker = (
  inputDir: string,
  outputDir: string,
  kind: 'plain' | 'with-extras',
): string =>
  [
    'npx --no-install esbuild',
    `"${inputDir}/functions/markdown/worker.ts" --outfile="${outputDir}/markdown-worker.js"`,
    '--bundle --platform=node --target=node24 --format=cjs --main-fields=module,main',
    '--minify --log-level=warning',
    ...(kind === 'plain' ? ['"--external:*/extras.ts"'] : []),
  ].join(' ');

/** Node copies, because not every shell that runs this has the same command for it. */
const copy = (from: string, to: string): string =>
  `node -e "fs.copyFileSync(process.argv[1], process.argv[2])" "${from}" "${to}"`;

/** What lies beside a group's bundle. */
const besideBundle = ({ markdownWorker, files = {} }: Needs): ICommandHooks => ({
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (inputDir, outputDir) => [
    ...(markdownWorker ? [buildMarkdownWorker(inputDir, outputDir, markdownWorker)] : []),
    ...Object.entries(files).map(([name, path]) =>
      copy(`${inputDir}/${path}`, `${outputDir}/${name}`),
    ),
  ],
});

/** CommonJS made from the packages' ESM sources, SDK included, starts fastest: 77 ms of CPU against 95 to 108. */
const bundling = (needs: Needs): BundlingOptions => ({
  format: OutputFormat.CJS,
  mainFields: ['module', 'main'],
  externalModules: [],
  target: 'node24',
  minify: true,
  // Beside the bundle for whoever reads a stack trace; the function doesn't spend time on it.
  sourceMap: true,
  sourceMapMode: SourceMapMode.EXTERNAL,
  sourcesContent: false,
  logLevel: LogLevel.WARNING,
  esbuildArgs: {
    '--alias:@aws-sdk/credential-provider-node': join(
      projectRoot,
      'infra/bundle/lambda-credentials.ts',
    ),
    '--alias:@smithy/core/event-streams': join(projectRoot, 'infra/bundle/no-event-streams.ts'),
    // Colours for a terminal, which a package asks for if they are there.
    '--external:supports-color': true,
  },
  // CommonJS has no import.meta; and the directive counts in the first place only.
  banner: '"use strict";const bundleUrl=require("node:url").pathToFileURL(__filename).href;',
  define: { 'import.meta.url': 'bundleUrl' },
  commandHooks: besideBundle(needs),
});

/** A function of the service. It may write to its own log, and do what it is granted. */
export class ApiFunction extends Construct {
  readonly function: NodejsFunction;

  constructor(
    scope: Construct,
    id: string,
    purpose: Purpose | 'fallback',
    needs: Needs,
    logRetention = RetentionDays.ONE_MONTH,
  ) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of its own: the managed one for functions may write to every log of the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    this.function = new NodejsFunction(this, 'Function', {
      description: `Handbill: ${purpose}`,
      entry: join(projectRoot, 'functions', purpose, 'index.ts'),
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: needs.memoryMb,
      timeout: Duration.seconds(needs.timeoutSeconds),
      environment: { NODE_ENV: 'production' },
      // For version 2 of the SDK.
      awsSdkConnectionReuse: false,
      bundling: bundling(needs),
      logGroup,
      role,
    });
  }

  /** Gives the function a setting; `API_HOST` says whose fallback it is. */
  set(name: SettingName | 'API_HOST', value: string): void {
    this.function.addEnvironment(name, value);
  }
}
