import * as z from 'zod';
import { isAuditAction } from '../../../shared/audit/action-texts.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { label, optional } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import { readDestination } from '../../../shared/outbound/destination.ts';
import { OutboundError } from '../../../shared/outbound/outbound-error.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { AppError, invalidField, missingPermission } from '../../../shared/runtime/errors.ts';
import { allOwnEvents, isOwnEvent } from '../../../shared/webhooks/events.ts';
import { webhookFormats } from '../../../shared/webhooks/payload.ts';
import { isOfThisService } from './record/own-host.ts';
import { isAuditName } from './record/webhook.ts';
import { Webhook } from './schemas.ts';

const Url = z.string().trim().min(1).max(2_048).meta({
  description:
    'An https address of a public host, at the port 443, without user name and fragment. Redirects aren’t followed.',
});

const isEvent = (name: string): boolean =>
  name === allOwnEvents || isOwnEvent(name) || isAuditAction(name);

const Events = z
  .array(z.string().refine(isEvent, 'must be * or a type that GET /api/webhooks/events returns'))
  .min(1, 'must have at least one event')
  .max(200)
  .meta({
    description:
      'Types of `GET /api/webhooks/events`, or `*` for all of your own. The audit’s names need `webhooks:manage`.',
  });

const Label = optional(label(60)).meta({ description: 'What you call it. `null`: its host.' });

const Format = z.enum(webhookFormats).meta({
  description: '`json`: the event. `text`: one line about it, as chat tools take it.',
});

const Active = z.boolean().meta({ description: '`false` pauses it, `true` resumes it.' });

export const CreateWebhookInput = z
  .object({
    url: Url,
    label: Label,
    events: Events,
    format: Format.default('json'),
    active: Active.default(true),
  })
  .meta({
    id: 'CreateWebhookInput',
    examples: [
      { url: 'https://hooks.example.com/handbill', label: 'Deploys', events: ['share.opened'] },
    ],
  });

/** The changes of a webhook by a PUT. */
export const webhookChange = recordChange(
  Webhook,
  {
    url: Url.optional(),
    label: Label,
    events: Events.optional(),
    format: Format.optional(),
    active: Active.optional(),
  },
  { sets: ['events'] },
);

export const UpdateWebhookInput = z.object(webhookChange.shape).meta({
  id: 'UpdateWebhookInput',
  examples: [{ events: ['share.opened', 'share.reported'] }, { active: true }],
});

/**
 * Returns an address in one form.
 * @throws AppError VALIDATION_ERROR about `url`
 */
export const readUrl = (url: string): string => {
  try {
    readDestination(url);
    if (isOfThisService(url)) throw invalidField('url', 'must not be an address of this service');
    return new URL(url).href;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason !== 'not-public') throw invalidField('url', error.message, error);
    throw new AppError('VALIDATION_ERROR', 'This address isn’t public.', {
      details: [{ field: 'url', message: error.message }],
      cause: error,
    });
  }
};

/**
 * Returns the events of a webhook, each once; `*` includes all own ones.
 * @throws AppError FORBIDDEN for names of the audit without `webhooks:manage`
 */
export const readEvents = (actor: Actor, events: readonly string[]): readonly string[] => {
  const once = [...new Set(events)].sort();
  if (once.some(isAuditName) && !can(actor.permissions, 'webhooks:manage')) {
    throw missingPermission('webhooks:manage');
  }
  return once.includes(allOwnEvents) ? once.filter((name) => !isOwnEvent(name)) : once;
};
