/**
 * A stand-in of AWS for deployments, on 127.0.0.1: the real CDK command and the commands of the service talk to it as they
 * do to AWS. It keeps stacks, their events and what they leave in the account, with the rules that repeated, failed and
 * rolled-back deployments depend on: states, protection, parameters, deletion policies, names that are taken.
 *
 * What it doesn't do: it checks no signatures and no rights, and no properties of resources; it replaces no resource whose
 * name changes; it has no nested stacks, imports, exports, transforms, rules of templates, hooks or drift; a change of any
 * property counts as an update in place. Operations are carried out at once; `stacks.readsInProgress` lets them seem to last.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account } from './account.ts';
import { Objects } from './objects.ts';
import { Stacks } from './operations.ts';
import { systemParameters } from './parameters.ts';
import { AwsError, parseForm, toAnswer, toErrorAnswer, type Value } from './protocol.ts';

const key = { id: 'AKIDSTANDIN', secret: 'stand-in' } as const;

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Buffer | undefined;
}

const xml = (status: number, body: string): Answer => ({ status, type: 'text/xml', body });
const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/x-amz-json-1.1',
  body: JSON.stringify(body),
});

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** Starts the stand-in for one account and region. `environment` leads commands to it. */
export const startStandIn = async (region = 'eu-central-1') => {
  const account = new Account(region);
  const objects = new Objects();
  const stacks = new Stacks(account, objects.read);
  /** The operations that were asked for, such as `DescribeStacks`. */
  const calls: string[] = [];

  const identity = {
    GetCallerIdentity: (): Value => ({
      Account: account.id,
      UserId: 'AIDASTANDIN',
      Arn: `arn:aws:iam::${account.id}:user/deployer`,
    }),
    AssumeRole: (input: { RoleArn?: unknown }): Value => ({
      Credentials: {
        AccessKeyId: key.id,
        SecretAccessKey: key.secret,
        SessionToken: 'stand-in',
        Expiration: new Date(Date.now() + 3_600_000),
      },
      AssumedRoleUser: { AssumedRoleId: 'AROASTANDIN:cdk', Arn: `${input.RoleArn}/cdk` },
    }),
  };

  const query = (form: string): Answer => {
    const { Action, Version, ...input } = parseForm(form);
    const action = String(Action);
    calls.push(action);
    const run = { ...identity, ...stacks.operations }[action];
    if (!run) throw new AwsError('InvalidAction', `The stand-in doesn’t know ${action}`);
    return xml(200, toAnswer(action, String(Version), run(input)));
  };

  const systemManager = (body: Buffer): Answer => {
    const { Name } = JSON.parse(body.toString()) as { Name: string };
    const value = systemParameters[Name];
    return value === undefined
      ? json(400, { __type: 'ParameterNotFound', message: Name })
      : json(200, { Parameter: { Name, Type: 'String', Value: value, Version: 1 } });
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { method = '', url = '', headers } = request;
    const body = await readBody(request);
    const target = String(headers['x-amz-target'] ?? '');
    if (target === 'AmazonSSM.GetParameter') return systemManager(body);
    if (url.endsWith('/account-settings')) {
      calls.push('GetAccountSettings');
      const AccountLimit = {
        ConcurrentExecutions: account.concurrency,
        UnreservedConcurrentExecutions: account.concurrency,
      };
      return json(200, { AccountLimit });
    }
    if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      return query(body.toString());
    }
    const address = new URL(url, 'http://127.0.0.1');
    const [status, content] = (await objects.answer(method, address, headers, body)) ?? [501];
    return { status, type: 'application/xml', body: content };
  };

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) =>
        error instanceof AwsError
          ? xml(error.status, toErrorAnswer(error))
          : xml(500, toErrorAnswer(new AwsError('InternalFailure', String(error)))),
      )
      .then(({ status, type, body }) => {
        response.writeHead(status, { ...(type && { 'content-type': type }) });
        response.end(body);
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['CLOUDFORMATION', 'STS', 'SSM', 'S3', 'LAMBDA', 'ECR'];
  return {
    endpoint,
    account,
    stacks,
    objects,
    calls,
    environment: {
      ...Object.fromEntries(names.map((name) => [`AWS_ENDPOINT_URL_${name}`, endpoint])),
      AWS_ACCESS_KEY_ID: key.id,
      AWS_SECRET_ACCESS_KEY: key.secret,
      AWS_REGION: region,
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DEFAULT_ACCOUNT: account.id,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    } as Readonly<Record<string, string>>,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;
