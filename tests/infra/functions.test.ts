// The functions of the template: their settings, and the rights of each. That these suffice is in `lab/lambda/`.

import { describe, expect, it } from 'vitest';
import { listGroups } from '../../functions/routes.ts';
import { readCommit } from '../../infra/build/commit.ts';
import { packageVersion } from '../../infra/build/package-version.ts';
import type { Host } from '../../shared/http/host.ts';
import {
  actionsOf,
  allHosts,
  answeringNames,
  apiIds,
  bucketId,
  chosen,
  functionNames,
  functionOf,
  groups,
  mentions,
  type Properties,
  queueIds,
  resources,
  secretId,
  statementsOf,
  synthesize,
  tableId,
  template,
} from '../support/infra/stack-template.ts';

const settingsOf = (group: string): Record<string, unknown> =>
  (functionOf(group)[1]['Environment'] as { Variables: Record<string, unknown> }).Variables;

describe('the functions', () => {
  it('include one for each group, a fallback for each host, one for jobs, one for exports and one for assets', () => {
    template.resourceCountIs('AWS::Lambda::Function', functionNames.length);
  });

  it('of pages wait for the assets of their build, which wait for none of them', () => {
    const [[stored = ''] = []] = resources('Custom::Assets');
    const waiting = Object.values(template.findResources('AWS::Lambda::Function'))
      .filter(({ DependsOn = [] }) => [DependsOn].flat().includes(stored))
      .map(({ Properties }) => String(Properties['Description']).replace('Handbill: ', ''));
    expect(waiting.toSorted()).toEqual([
      ...[
        'assets',
        'docs',
        'fallback',
        'fallback',
        'password',
        'provider-sign-in',
        'request-page',
        'share-page',
        'site',
        'snippet',
      ],
    ]);
  });

  it.each(functionNames)('%s runs in production mode on Node.js 24 and arm64', (group) => {
    const [, properties] = functionOf(group);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Environment: { Variables: { NODE_ENV: 'production' } },
    });
    expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(properties).not.toHaveProperty('TracingConfig');
  });

  it.each(answeringNames)('%s times out before API Gateway does', (name) => {
    expect(functionOf(name)[1]['Timeout']).toBeLessThan(30);
  });

  it.each(['auth', 'password', 'markdown'])('%s has a whole vCPU', (group) => {
    expect(functionOf(group)[1]['MemorySize']).toBe(1_769);
  });

  it.each(functionNames)(
    '%s has a log group that expires entries after a month and is deleted with the stack',
    (group) => {
      const { LoggingConfig } = functionOf(group)[1] as { LoggingConfig: { LogGroup: Properties } };
      const log = template.toJSON()['Resources'][LoggingConfig.LogGroup['Ref'] as string];
      expect(log).toMatchObject({
        Type: 'AWS::Logs::LogGroup',
        Properties: { RetentionInDays: 30 },
        DeletionPolicy: 'Delete',
      });
    },
  );

  it('have separate roles', () => {
    const roles = functionNames.map((name) => JSON.stringify(functionOf(name)[1]['Role']));
    expect(new Set(roles).size).toBe(functionNames.length);
  });

  it('have only the environment variables that they use', () => {
    const endpoint = (host: Host) => ({ 'Fn::GetAtt': [apiIds[host], 'ApiEndpoint'] });
    const production = { NODE_ENV: 'production', STAGE: 'prod' };
    const table = { ...production, TABLE_NAME: { Ref: tableId } };
    const signed = { ...table, JWT_SECRET_ID: { Ref: secretId } };
    const PUBLIC_URL = endpoint('service');
    const JOBS_QUEUE_URL = { Ref: queueIds.work };
    const MAIL_QUEUE_URL = { Ref: queueIds.mail };
    const ACTIVITY_QUEUE_URL = { Ref: queueIds.activity };
    // Without email, webhooks ride on the queue of all other jobs.
    const HOOKS_QUEUE_URL = JOBS_QUEUE_URL;
    const allQueues = { JOBS_QUEUE_URL, MAIL_QUEUE_URL, ACTIVITY_QUEUE_URL, HOOKS_QUEUE_URL };
    const FILES_BUCKET = { Ref: bucketId };
    const expected: Record<string, Record<string, unknown>> = {
      auth: { ...signed, PUBLIC_URL, MAIL_QUEUE_URL, ACTIVITY_QUEUE_URL },
      users: { ...signed, PUBLIC_URL, FILES_BUCKET },
      audit: { ...signed },
      documents: { ...signed, FILES_BUCKET },
      files: { ...signed, JOBS_QUEUE_URL, FILES_BUCKET },
      messages: { ...signed, PUBLIC_URL, JOBS_QUEUE_URL, FILES_BUCKET },
      notifications: { ...signed, PUBLIC_URL },
      calendar: { ...signed, PUBLIC_URL },
      sales: { ...signed },
      dashboard: { ...signed },
      settings: {
        ...signed,
        VERSION: packageVersion,
        COMMIT: readCommit(),
        PUBLIC_URL,
        SNIPPETS_URL: endpoint('snippets'),
        ...allQueues,
        FILES_BUCKET,
      },
      share: {
        ...signed,
        PUBLIC_URL,
        SNIPPETS_URL: endpoint('snippets'),
        JOBS_QUEUE_URL,
        ACTIVITY_QUEUE_URL,
        FILES_BUCKET,
      },
      markdown: { ...table },
      checkin: { ...signed },
      apps: { ...signed, PUBLIC_URL },
      webhooks: {
        ...signed,
        PUBLIC_URL,
        SNIPPETS_URL: endpoint('snippets'),
        HOOKS_QUEUE_URL,
      },
      mcp: {
        ...signed,
        VERSION: packageVersion,
        PUBLIC_URL,
        SNIPPETS_URL: endpoint('snippets'),
        FILES_BUCKET,
      },
      site: { ...signed, PUBLIC_URL, SNIPPETS_URL: endpoint('snippets'), FILES_BUCKET },
      password: { ...signed, ACTIVITY_QUEUE_URL },
      'provider-sign-in': { ...signed, PUBLIC_URL, ACTIVITY_QUEUE_URL },
      'share-page': {
        ...signed,
        PUBLIC_URL,
        SNIPPETS_URL: endpoint('snippets'),
        JOBS_QUEUE_URL,
        MAIL_QUEUE_URL,
        ACTIVITY_QUEUE_URL,
        FILES_BUCKET,
      },
      'request-page': { ...signed, PUBLIC_URL, FILES_BUCKET },
      assets: { ...production, FILES_BUCKET },
      'asset-store': { ...production, FILES_BUCKET },
      docs: { ...production, PUBLIC_URL },
      health: { ...table },
      snippet: { ...signed, PUBLIC_URL, SNIPPETS_URL: endpoint('snippets'), FILES_BUCKET },
      jobs: {
        ...table,
        PUBLIC_URL,
        SNIPPETS_URL: endpoint('snippets'),
        JOBS_QUEUE_URL,
        MAIL_QUEUE_URL,
        HOOKS_QUEUE_URL,
        WEBHOOK_CONCURRENCY: '2',
        EXPORTS_FUNCTION: { Ref: expect.stringMatching(/^ExportsFunction/) },
        FILES_BUCKET,
        // What is in it: monitoring.test.ts.
        GATEWAY_PUBLIC_ROUTES: expect.anything(),
      },
      exports: { ...signed, PUBLIC_URL, FILES_BUCKET },
      'service fallback': { ...production, API_HOST: 'service' },
      'snippets fallback': { ...production, API_HOST: 'snippets' },
    };
    for (const host of allHosts) {
      // For what is no route of the group.
      for (const { name } of listGroups(host))
        Object.assign(expected[name] ?? {}, { API_HOST: host });
    }
    expect(Object.fromEntries(functionNames.map((name) => [name, settingsOf(name)]))).toEqual(
      expected,
    );
  });

  it('receive a configured setting if they use it', () => {
    const configured = synthesize(chosen);
    const withSetting = (name: string, value: string) =>
      Object.keys(
        configured.findResources('AWS::Lambda::Function', {
          Properties: { Environment: { Variables: { [name]: value } } },
        }),
      );
    expect(withSetting('PASSWORD_COST', '11').sort()).toEqual(
      ['auth', 'users', 'password'].map((name) => functionOf(name)[0]).sort(),
    );
    expect(withSetting('PUBLIC_URL', 'https://share.example.com').sort()).toEqual(
      [
        'auth',
        'calendar',
        'apps',
        'mcp',
        'docs',
        'messages',
        'notifications',
        'settings',
        'webhooks',
        'share',
        'share-page',
        'provider-sign-in',
        'request-page',
        'site',
        'snippet',
        'users',
        'jobs',
        'exports',
      ]
        .map((name) => functionOf(name)[0])
        .sort(),
    );
  });
});

describe('the permissions of the functions', () => {
  it.each(functionNames)(
    '%s allows no wildcard actions, and wildcard resources only for S3 prefixes and limits of routes',
    (group) => {
      for (const { Action, Resource } of statementsOf(group)) {
        expect([Action].flat().join()).not.toContain('*');
        // Texts and files are objects with unpredictable names, and a deployment may change which routes there are.
        const others = JSON.stringify(Resource).replaceAll(
          /\/(texts|files|shares|exports|uploads|assets|routesettings)\/\*/g,
          '',
        );
        expect(others).not.toContain('*');
      }
    },
  );

  it('do not come from managed policies', () => {
    for (const [, role] of resources('AWS::IAM::Role')) {
      expect(role).not.toHaveProperty('ManagedPolicyArns');
    }
  });

  it.each(functionNames)(
    '%s has the names of the table and the secret only if it can use them',
    (group) => {
      const settings = settingsOf(group);
      const statements = statementsOf(group);
      expect('TABLE_NAME' in settings).toBe(actionsOf(group, 'dynamodb').length > 0);
      expect(mentions(statements, tableId)).toBe('TABLE_NAME' in settings);
      expect('JWT_SECRET_ID' in settings).toBe(actionsOf(group, 'secretsmanager').length > 0);
      expect(mentions(statements, secretId)).toBe('JWT_SECRET_ID' in settings);
    },
  );

  it.each(functionNames)('%s can access only listed partitions of the table', (group) => {
    const ofTable = statementsOf(group).filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith('dynamodb:')),
    );
    for (const { Condition } of ofTable) {
      const partitions = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
      expect(partitions.length).toBeGreaterThan(0);
      expect(partitions).not.toContain('*');
      // A request without any partition, such as a Scan, meets the first condition.
      expect(Condition?.['Null']).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
  });

  it.each([
    ['markdown', ['LIMIT#*']],
    ['health', ['HEALTH']],
    // The owner's user, because shares of a suspended owner are hidden.
    ['snippet', ['USER#*', 'SHARE#*', 'LINK#*']],
  ])('%s can access only %j in the table', (group, partitions) => {
    const [only, ...others] = statementsOf(group).filter(
      ({ Condition }) => Condition?.['ForAllValues:StringLike'],
    );
    expect(only?.Condition?.['ForAllValues:StringLike']).toEqual({
      'dynamodb:LeadingKeys': partitions,
    });
    expect(others).toEqual([]);
  });

  it('allow the Markdown function only its rate limit in the table, and no secret', () => {
    expect(actionsOf('markdown', 'dynamodb')).toEqual(['UpdateItem']);
    expect(actionsOf('markdown', 'secretsmanager')).toEqual([]);
  });

  it('allow the audit function to add audit entries but not change them', () => {
    // It adds those of exports. The updates are of a session's last use and of limits, deletions of a user's oldest export.
    expect(actionsOf('audit', 'dynamodb')).toEqual([
      'BatchGetItem',
      'DeleteItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ]);
  });

  it('allow the health check only GetItem', () => {
    expect(actionsOf('health', 'dynamodb')).toEqual(['GetItem']);
    expect(actionsOf('health', 'secretsmanager')).toEqual([]);
  });

  it("allow the snippets' host only to read items", () => {
    expect(actionsOf('snippet', 'dynamodb')).toEqual(['BatchGetItem', 'Query']);
  });

  it('allow DeleteItem only to groups that end sessions or delete records', () => {
    const deleting = groups.filter((group) => actionsOf(group, 'dynamodb').includes('DeleteItem'));
    expect(deleting).toEqual([
      'auth',
      'users',
      'audit',
      'documents',
      'files',
      'messages',
      'notifications',
      'calendar',
      'sales',
      'settings',
      'share',
      'apps',
      'webhooks',
      'mcp',
      'password',
      'provider-sign-in',
      'request-page',
    ]);
  });

  it.each(groups)('%s can read the secret but not change it', (group) => {
    expect(['', 'GetSecretValue']).toContain(actionsOf(group, 'secretsmanager').join());
  });
});
