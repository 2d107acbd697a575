// Names of a stage: its own domain at any DNS provider, and names that belong to the account or the world instead of a region.

import { describe, expect, it } from 'vitest';
import { listMissingNames } from '../../infra/commands/smoke/names.ts';
import type { StageOutputs } from '../../infra/commands/stage-outputs.ts';
import { readStackSettings } from '../../infra/stack/stack-settings.ts';
import { type Properties, queueIds, synthesize } from '../support/infra/stack-template.ts';
import { mailTemplate } from './mail-events.ts';

const domain = {
  PUBLIC_URL: 'https://share.example.com',
  SNIPPETS_URL: 'https://snippets.example.net',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1234-abcd',
};

const read = (context: Record<string, unknown>, region?: string) =>
  readStackSettings((name) => context[name], region);

describe('a domain without a hosted zone', () => {
  it('has both names, mapped to their APIs, and outputs what their DNS entries lead to', () => {
    const template = synthesize(domain);
    const names = Object.entries(template.findResources('AWS::ApiGatewayV2::DomainName'));
    expect(names.map(([, { Properties }]) => Properties.DomainName).sort()).toEqual([
      'share.example.com',
      'snippets.example.net',
    ]);
    template.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 2);
    template.resourceCountIs('AWS::Route53::RecordSet', 0);
    const targetOf = (name: string) => ({
      'Fn::GetAtt': [
        names.find(([, { Properties }]) => Properties.DomainName === name)?.[0],
        'RegionalDomainName',
      ],
    });
    template.hasOutput('ServiceDnsTarget', { Value: targetOf('share.example.com') });
    template.hasOutput('SnippetsDnsTarget', { Value: targetOf('snippets.example.net') });
  });

  it.each([
    ['Set SNIPPETS_URL: required for a custom domain.', { SNIPPETS_URL: undefined }],
    [
      'Set certificateArn: required for a custom domain.',
      { certificateArn: '', hostedZoneId: 'Z0' },
    ],
    ['Set hostedZoneName: required for DNS names of a custom domain.', { hostedZoneId: 'Z0' }],
    [
      'Set PUBLIC_URL to an https origin without a port: API Gateway has none.',
      { PUBLIC_URL: 'https://share.example.com:8443' },
    ],
  ])('is refused if incomplete: %s', (message, changed) => {
    expect(() => read({ ...domain, ...changed })).toThrow(message);
  });

  const outputs = {
    ServiceUrl: 'https://share.example.com',
    SnippetsUrl: 'https://snippets.example.net',
    ServiceDnsTarget: 'd-1.execute-api.eu-central-1.amazonaws.com',
    SnippetsDnsTarget: 'd-2.execute-api.eu-central-1.amazonaws.com',
  } as StageOutputs;

  it('has names that are missing until their DNS entries are set', async () => {
    const isKnown = async (name: string) => name === 'share.example.com';
    expect(await listMissingNames(outputs, isKnown)).toEqual([
      'DNS has no entry for snippets.example.net: set a CNAME to d-2.execute-api.eu-central-1.amazonaws.com, or an ALIAS at the top of a domain.',
    ]);
    expect(await listMissingNames(outputs, async () => true)).toEqual([]);
  });
});

/** The types of resources whose names an account has once, or the world. */
const globalNames: Readonly<Record<string, (properties: Properties) => unknown>> = {
  'AWS::IAM::Role': ({ RoleName }) => RoleName,
  'AWS::IAM::ManagedPolicy': ({ ManagedPolicyName }) => ManagedPolicyName,
  'AWS::S3::Bucket': ({ BucketName }) => BucketName,
  'AWS::CloudWatch::Dashboard': ({ DashboardName }) => DashboardName,
  'AWS::Budgets::Budget': ({ Budget }) => (Budget as Properties)['BudgetName'],
  'AWS::CloudFront::Function': ({ Name }) => Name,
  'AWS::CloudFront::CachePolicy': (of) => (of['CachePolicyConfig'] as Properties)['Name'],
  'AWS::CloudFront::OriginRequestPolicy': (of) =>
    (of['OriginRequestPolicyConfig'] as Properties)['Name'],
  'AWS::CloudFront::ResponseHeadersPolicy': (of) =>
    (of['ResponseHeadersPolicyConfig'] as Properties)['Name'],
};

/** Types of the same services without a name of their own. */
const nameless = ['AWS::CloudFront::Distribution'];

describe('the same stage in two regions of an account', () => {
  const template = synthesize({ edge: true, alarmEmail: 'ops@example.com', monthlyBudget: 10 });
  const all = Object.values(template.toJSON()['Resources']) as {
    Type: string;
    Properties: Properties;
  }[];

  it('shares no global name: each has the region, or is made by CloudFormation', () => {
    const namesIn = (region: string) =>
      all.flatMap(({ Type, Properties }) => {
        const name = globalNames[Type]?.(Properties);
        if (name === undefined) return [];
        return [`${Type} ${JSON.stringify(name).replaceAll('{"Ref":"AWS::Region"}', region)}`];
      });
    const [one, other] = [namesIn('eu-central-1'), new Set(namesIn('us-east-1'))];
    expect(one).toHaveLength(5);
    expect(one.filter((name) => other.has(name))).toEqual([]);
  });

  it('has no resource of a global service whose names are not compared', () => {
    const types = new Set(all.map(({ Type }) => Type));
    const ofGlobal = [...types].filter((type) =>
      /^AWS::(IAM|CloudFront|Budgets|Route53|WAF\w*)::/.test(type),
    );
    expect(ofGlobal.filter((type) => !(type in globalNames) && !nameless.includes(type))).toEqual(
      [],
    );
  });
});

describe('the regions of China', () => {
  it.each([
    ['MAIL_FROM', { MAIL_FROM: 'service@example.com' }],
    ['edge', { edge: true }],
  ])('refuse %s with a sentence', (name, context) => {
    expect(() => read(context, 'cn-north-1')).toThrow(`Leave out ${name} in cn-north-1: `);
    expect(() => read(context, 'eu-central-1')).not.toThrow();
  });

  it('take the rest', () => {
    expect(read({}, 'cn-northwest-1').stage).toBe('prod');
  });
});

describe('an ephemeral stage', () => {
  it('leaves no log group: each function has one of the stack, and no right to create another', () => {
    const { Resources } = synthesize({ stage: 'try', ephemeral: true }).toJSON() as {
      Resources: Record<string, { Type: string; Properties: Properties; DeletionPolicy?: string }>;
    };
    const functions = Object.values(Resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    expect(functions.length).toBeGreaterThan(20);
    for (const { Properties } of functions) {
      const { LogGroup } = Properties['LoggingConfig'] as { LogGroup: { Ref: string } };
      expect(Resources[LogGroup.Ref]).toMatchObject({
        Type: 'AWS::Logs::LogGroup',
        DeletionPolicy: 'Delete',
      });
    }
    const roles = Object.values(Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
    expect(JSON.stringify(roles)).not.toMatch(/CreateLogGroup|ManagedPolicyArns/);
  });
});

describe('a bounce that the queue didn’t take', () => {
  it('is kept in the dead-letter queue, which EventBridge may send to', () => {
    const rules = Object.values(mailTemplate.findResources('AWS::Events::Rule')).filter(
      ({ Properties }) => Properties.EventPattern,
    );
    expect(rules).toHaveLength(4);
    for (const { Properties } of rules) {
      const [target] = Properties.Targets;
      expect(target.Arn).toEqual({ 'Fn::GetAtt': [queueIds.work, 'Arn'] });
      const [deadLetters] = target.DeadLetterConfig.Arn['Fn::GetAtt'];
      expect(deadLetters).toMatch(/^JobQueuesDeadLetters/);
      const policies = Object.values(mailTemplate.findResources('AWS::SQS::QueuePolicy')).filter(
        ({ Properties: { Queues } }) => Queues[0].Ref === deadLetters,
      );
      expect(JSON.stringify(policies)).toContain('events.amazonaws.com');
    }
  });
});
