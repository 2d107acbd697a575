import { Match } from 'aws-cdk-lib/assertions';
import { synthesize } from '../support/infra/stack-template.ts';

/** The template of a stage that sends emails. */
export const mailTemplate = synthesize({ MAIL_FROM: 'service@example.com' });

/** The name of its configuration set, as in the template. */
export const [configurationSetId = ''] = Object.keys(
  mailTemplate.findResources('AWS::SES::ConfigurationSet'),
);

type Json = Readonly<Record<string, unknown>>;

interface RuleProperties {
  readonly EventPattern: Json;
  readonly Targets: readonly {
    readonly Arn: unknown;
    readonly InputTransformer: {
      readonly InputPathsMap: Readonly<Record<string, string>>;
      readonly InputTemplate: string;
    };
  }[];
}

const rules = Object.values(
  mailTemplate.findResources('AWS::Events::Rule', {
    Properties: { EventPattern: Match.objectLike({ source: ['aws.ses'] }) },
  }),
).map(({ Properties }) => Properties as RuleProperties);

type Filter =
  | string
  | { readonly exists: boolean }
  | { readonly 'anything-but': readonly unknown[] };

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html */
const passes = (filter: Filter, value: unknown): boolean => {
  if (typeof filter !== 'object') return [value].flat().includes(filter);
  if ('Ref' in filter) return [value].flat().includes(filter.Ref);
  if ('exists' in filter) return (value !== undefined) === filter.exists;
  return value !== undefined && !filter['anything-but'].includes(value);
};

const matches = (pattern: Json, value: unknown): boolean =>
  Object.entries(pattern).every(([name, wanted]) => {
    const found = (value as Json | undefined)?.[name];
    return Array.isArray(wanted)
      ? wanted.some((filter) => passes(filter, found))
      : matches(wanted as Json, found);
  });

const read = (event: Json, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], event);

/** Returns the messages that the rules of the template send for an event, with the id of the queue. */
export const messagesOf = (event: Json): { readonly queue: string; readonly body: string }[] =>
  rules
    .filter(({ EventPattern }) => matches(EventPattern, event))
    .flatMap(({ Targets }) => Targets)
    .map(({ Arn, InputTransformer: { InputPathsMap, InputTemplate } }) => ({
      queue: (Arn as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0] ?? '',
      body: InputTemplate.replace(/<([\w-]+)>/g, (_, name) =>
        JSON.stringify(read(event, InputPathsMap[name] ?? '')),
      ),
    }));

/** Creates an event as SES sends it, about an email to these addresses. */
const eventOf = (
  type: string,
  at: string,
  to: readonly string[],
  details: Json,
  tags: Json = {},
): Json => ({
  version: '0',
  id: 'c3d4e5f6-a7b8-9012-cdef-123456789012',
  'detail-type': type,
  source: 'aws.ses',
  account: '123456789012',
  time: at,
  region: 'eu-central-1',
  resources: [],
  detail: {
    ...details,
    mail: {
      timestamp: at,
      source: 'service@example.com',
      messageId: '0100018d-1234',
      destination: to,
      tags: { 'ses:configuration-set': [configurationSetId], ...tags },
    },
  },
});

/** Creates the event of a bounce. Temporary ones are `Transient`. */
export const bounceOf = (
  at: string,
  to: readonly string[],
  bounceType = 'Permanent',
  tags: Json = {},
): Json =>
  eventOf(
    'Email Bounced',
    at,
    to,
    {
      eventType: 'Bounce',
      bounce: {
        bounceType,
        bounceSubType: 'General',
        bouncedRecipients: to.map((emailAddress) => ({
          emailAddress,
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        })),
        timestamp: at,
        feedbackId: '0100018d-5678',
      },
    },
    tags,
  );

/** Creates the event of a complaint. Not every provider says which kind it is. */
export const complaintOf = (at: string, to: readonly string[], kind?: string): Json =>
  eventOf('Email Complaint Received', at, to, {
    eventType: 'Complaint',
    complaint: {
      complainedRecipients: to.map((emailAddress) => ({ emailAddress })),
      ...(kind !== undefined && { complaintFeedbackType: kind }),
      timestamp: at,
      feedbackId: '0100018d-9abc',
    },
  });
