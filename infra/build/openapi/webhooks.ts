import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { getEventTexts, type OwnEvent } from '../../../shared/webhooks/event-texts.ts';
import { ownEvents, testEvent } from '../../../shared/webhooks/events.ts';
import { AuditEventData, eventDataSchemas } from '../../../shared/webhooks/payloads.ts';

const at = '2026-11-21T12:00:00.000Z';

/** What each request to a webhook has beside its body. https://www.standardwebhooks.com */
const requestHeaders = z.object({
  'webhook-id': z.string().meta({
    description: 'The id of the event, the same for each try: what was received already.',
    examples: ['evt_mZ3kP0cWbq7x1VvH9sTt2A'],
  }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'When it is sent, in seconds since 1970.', examples: ['1795262400'] }),
  'webhook-signature': z.string().meta({
    description: 'By the secret, and for 24 hours after it was renewed by the former one, too.',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  }),
});

interface Described {
  readonly type: z.ZodType<string>;
  readonly example: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly data: z.ZodType;
}

/** `ShareOpenedEvent` for `share.opened`. */
const toSchemaName = (type: string): string =>
  `${type
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;

const describe = ({ type, example, name, summary, description, data }: Described) => {
  const [exampleData] = z.globalRegistry.get(data)?.examples ?? [];
  const body = z.object({ type, timestamp: z.iso.datetime(), data }).meta({
    id: toSchemaName(name),
    examples: [{ type: example, timestamp: at, data: exampleData }],
  });
  const post: ZodOpenApiOperationObject = {
    operationId: `receive${toSchemaName(name)}`,
    tags: ['webhooks'],
    summary,
    description,
    security: [],
    requestParams: { header: requestHeaders },
    requestBody: { content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'Received. Everything else is a failure, and is tried again.' },
      '410': { description: 'Nothing is wanted here any more: the webhook is paused.' },
    },
  };
  return [name, { post }] as const;
};

const describeOwn = (event: OwnEvent) => {
  const { label, description } = getEventTexts(event);
  const data = eventDataSchemas[event];
  return describe({
    type: z.literal(event),
    example: event,
    name: event,
    summary: label,
    description,
    data,
  });
};

/** Returns the requests that the service sends to webhooks, by the name of the event, as OpenAPI describes them. */
export const listWebhooks = (): ZodOpenApiPathsObject =>
  Object.fromEntries([
    ...ownEvents.map(describeOwn),
    describe({
      type: z.string(),
      example: 'user.update',
      name: 'audit',
      summary: 'Change in the audit log',
      description:
        'Something that the audit log has, by the name of its action: for users with `webhooks:manage`.',
      data: AuditEventData,
    }),
    describe({
      type: z.literal(testEvent),
      example: testEvent,
      name: testEvent,
      summary: 'Test',
      description: 'What “Send test” sends.',
      data: z
        .object({ label: z.string().meta({ description: 'What you call the webhook.' }) })
        .meta({ examples: [{ label: 'Deploys' }] }),
    }),
  ]);
