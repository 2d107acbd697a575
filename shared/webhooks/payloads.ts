import * as z from 'zod';
import type { OwnEvent } from './event-texts.ts';

/*
 * What the events of a user carry: ids, labels, counts, times and addresses of pages (decisions.md#events). Never content, a
 * subject, an email address or an IP address: a webhook leads out of the service, to whom no right is checked.
 */

const Person = z.object({ id: z.int().positive(), name: z.string() });

const pageUrl = z.string().meta({ description: 'Its page on this service.' });

/** How events name a share. */
export const EventShare = z.object({
  id: z.string(),
  url: pageUrl,
  title: z.string().nullable().meta({
    description:
      'The title that its owner gave it, if anyone can open it without a password; else `null`.',
  }),
});
export type EventShare = Readonly<z.output<typeof EventShare>>;

/** What ended a share. */
export const endCauses = ['views', 'time', 'owner', 'moderator', 'reader'] as const;
/** How it ended. */
export const endKinds = ['ended', 'taken-down', 'deleted'] as const;

const exampleShare = {
  id: 'k3xV9pQ2mT0a',
  url: 'https://handbill.example.com/s/k3xV9pQ2mT0a',
  title: 'Offer for Luca',
};

const examplePerson = { id: 244_212_480_000_000, name: 'Ann Example' };

/** The data of each type of event, with an example. */
export const eventDataSchemas = {
  'share.opened': z
    .object({
      share: EventShare.meta({ description: 'The share that was opened.' }),
      link: z.string().nullable().meta({
        description:
          'What its owner called the recipient link that it was opened with. `null`: none, or an email address.',
      }),
      readerId: z.int().positive().nullable().meta({
        description: 'The user who opened it, where receipts are kept: of a share for some only.',
      }),
      views: z.int().nullable().meta({
        description:
          'The number of views with this one. `null` for a view that is counted a moment later.',
      }),
      viewsLeft: z
        .int()
        .nullable()
        .meta({ description: 'The number of views left. `null`: no limit.' }),
    })
    .meta({
      examples: [{ share: exampleShare, link: 'Luca', readerId: null, views: 3, viewsLeft: 2 }],
    }),
  'share.ended': z
    .object({
      share: EventShare.meta({ description: 'The share that ended.' }),
      by: z.enum(endCauses).meta({
        description:
          'Its view limit, its expiration time, its owner, a moderator, or a reader who was allowed to.',
      }),
      how: z.enum(endKinds).meta({
        description: 'A share that was taken down can be restored by a moderator.',
      }),
      views: z.int().meta({ description: 'How often it was opened.' }),
    })
    .meta({ examples: [{ share: exampleShare, by: 'views', how: 'ended', views: 5 }] }),
  'share.submitted': z
    .object({
      share: EventShare.meta({ description: 'The private share with what was handed in.' }),
      request: z.object({ id: z.string() }).meta({ description: 'What it was handed in for.' }),
    })
    .meta({
      examples: [{ share: { ...exampleShare, title: null }, request: { id: 'Yb7sQ0pW1zXc' } }],
    }),
  'share.reported': z
    .object({
      kind: z.enum(['share', 'request']).meta({ description: 'What was reported.' }),
      id: z.string(),
      url: z.string().meta({ description: 'The page that decides about it.' }),
      reports: z.int().meta({ description: 'The number of reports that wait.' }),
      reportedAt: z.iso.datetime().meta({ description: 'When the first of them came.' }),
    })
    .meta({
      examples: [
        {
          kind: 'share',
          id: exampleShare.id,
          url: `https://handbill.example.com/moderation?open=${exampleShare.id}`,
          reports: 1,
          reportedAt: '2026-11-21T12:00:00.000Z',
        },
      ],
    }),
  'document.shared': z
    .object({
      document: z
        .object({ id: z.int().positive(), url: pageUrl })
        .meta({ description: 'The document that was shared.' }),
      by: Person.meta({ description: 'Who shared it.' }),
    })
    .meta({
      examples: [
        {
          document: {
            id: 244_212_480_008_192,
            url: 'https://handbill.example.com/documents/244212480008192',
          },
          by: examplePerson,
        },
      ],
    }),
  'message.received': z
    .object({
      message: z.object({
        id: z.int().positive(),
        conversationId: z.int().positive(),
        url: pageUrl,
        attachments: z.int().meta({ description: 'The number of its files.' }),
      }),
      from: Person.meta({ description: 'Who sent it.' }),
    })
    .meta({
      examples: [
        {
          message: {
            id: 244_212_480_012_288,
            conversationId: 244_212_480_012_288,
            url: 'https://handbill.example.com/messages?open=244212480012288',
            attachments: 0,
          },
          from: examplePerson,
        },
      ],
    }),
} as const satisfies Readonly<Record<OwnEvent, z.ZodType>>;

/** The data of an event of this type. */
export type OwnEventData<Type extends OwnEvent> = Readonly<
  z.output<(typeof eventDataSchemas)[Type]>
>;

/** The data of the audit's events, with an example. */
export const AuditEventData = z
  .object({
    id: z.string().meta({ description: 'The id of the audit entry.' }),
    subject: z.string().meta({ description: 'What was changed, such as `user:123`.' }),
    actor: z
      .object({ id: z.int().positive(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The user who did it. `null`: nobody was signed in.' }),
    token: z
      .object({ id: z.int().positive() })
      .nullable()
      .meta({ description: 'The API token or connected app that it was done with.' }),
    tool: z
      .string()
      .nullable()
      .meta({ description: 'The tool by which an assistant did it in the user’s name.' }),
    requestId: z.string().meta({ description: 'The `X-Request-Id` of the request.' }),
    changed: z.array(z.string()).meta({ description: 'The names of the changed fields.' }),
    before: z.record(z.string(), z.unknown()).meta({
      description: 'What some of these were: roles, rights, states, limits and times.',
    }),
    after: z.record(z.string(), z.unknown()).meta({ description: 'What these are now.' }),
  })
  .meta({
    examples: [
      {
        id: 'q2V5c3Rp',
        subject: 'user:244212480004096',
        actor: examplePerson,
        token: null,
        tool: null,
        requestId: '6d2a6c1e-3f6b-4f0e-9a52-0a3c5e1d7b94',
        changed: ['email', 'role'],
        before: { role: 'user' },
        after: { role: 'admin' },
      },
    ],
  });
export type AuditEventData = Readonly<z.output<typeof AuditEventData>>;
