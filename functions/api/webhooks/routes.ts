import * as z from 'zod';
import { auditActionTexts } from '../../../shared/audit/action-texts.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { paginated, Success, success } from '../../../shared/http/envelope.ts';
import { type Route, route } from '../../../shared/http/route.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { getEventTexts } from '../../../shared/webhooks/event-texts.ts';
import { ownEvents } from '../../../shared/webhooks/events.ts';
import * as deliveries from './deliveries.ts';
import {
  CreateWebhookInput,
  readEvents,
  readUrl,
  UpdateWebhookInput,
  webhookChange,
} from './input.ts';
import { changeLimits, sendLimits } from './limits.ts';
import {
  DeletedWebhook,
  DeliveryDetail,
  DeliveryPage,
  EventTypeList,
  RedeliveryStarted,
  toDelivery,
  toDeliveryDetail,
  toWebhook,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from './schemas.ts';
import * as webhooks from './webhooks.ts';

const ofWebhook = z.object({ id: RecordId });

const ofDelivery = z.object({
  id: RecordId,
  deliveryId: z.string().max(100).meta({ description: 'The id of a delivery.' }),
});

const copyNow = 'Copy the secret now. It won’t be shown again.';

const paused = 'The webhook is paused, or webhooks are off.';

const listOwnTypes = ({ permissions }: Actor) =>
  ownEvents.flatMap((type) => {
    const { permission, label, description } = getEventTexts(type);
    const isOffered = permission === undefined || can(permissions, permission);
    return isOffered ? [{ type, label, description, group: 'own' }] : [];
  });

const listAuditTypes = () =>
  Object.entries(auditActionTexts).flatMap(([group, { actions }]) =>
    Object.entries(actions).map(([verb, description]) => ({
      type: `${group}.${verb}`,
      label: description,
      description,
      group,
    })),
  );

export const routes: readonly Route[] = [
  route({
    endpoint: 'GET /api/webhooks/events',
    access: 'session',
    summary: 'List event types of webhooks',
    description:
      'Returns the types that a webhook of yours can have: your own, and with `webhooks:manage` the names of the audit log.',
    output: EventTypeList,
    handle: async ({ actor }) =>
      success([
        ...listOwnTypes(actor),
        ...(can(actor.permissions, 'webhooks:manage') ? listAuditTypes() : []),
      ]),
  }),
  route({
    endpoint: 'GET /api/webhooks',
    access: 'session',
    summary: 'List your webhooks',
    description: 'Returns your webhooks, up to 20, the newest first.',
    output: WebhookList,
    handle: async ({ actor }) => success((await webhooks.list(actor.user.id)).map(toWebhook)),
  }),
  route({
    endpoint: 'POST /api/webhooks',
    access: 'session',
    summary: 'Create a webhook',
    description:
      'Events are posted to the address, signed as Standard Webhooks are. The secret is shown only once. You are told by a security alert.',
    status: 201,
    body: CreateWebhookInput,
    output: WebhookWithSecret,
    errors: {
      FORBIDDEN: 'Names of the audit log need `webhooks:manage`.',
      CONFLICT: 'You have 20 webhooks or one with this address, or webhooks are off.',
    },
    limits: changeLimits,
    auditAction: 'webhook.create',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, body, recorder }) => {
      const { url, events, label = null, format, active } = body;
      const fields = {
        url: readUrl(url),
        events: readEvents(actor, events),
        label,
        format,
        active,
      };
      const webhook = await webhooks.create(actor, fields, recorder);
      return success({ ...toWebhook(webhook), secret: webhook.secret }, copyNow);
    },
  }),
  route({
    endpoint: 'GET /api/webhooks/{id}',
    access: 'session',
    summary: 'Get a webhook',
    params: ofWebhook,
    output: Success(Webhook),
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params: { id } }) =>
      success(toWebhook(await webhooks.get(actor.user.id, id))),
  }),
  route({
    endpoint: 'PUT /api/webhooks/{id}',
    access: 'session',
    summary: 'Update a webhook',
    description:
      'Changes only the fields you send. `active` pauses and resumes it; what was not sent meanwhile can be delivered again.',
    params: ofWebhook,
    body: UpdateWebhookInput,
    output: Success(Webhook),
    errors: {
      FORBIDDEN: 'Names of the audit log need `webhooks:manage`.',
      CONFLICT: 'Another webhook of yours has this address, or webhooks are off.',
    },
    limits: changeLimits,
    auditAction: 'webhook.update',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) => {
      const updated = await webhooks.update(
        actor.user.id,
        id,
        (current) => {
          const { url, events, ...rest } = webhookChange.changes(body, toWebhook(current));
          return {
            ...rest,
            ...(url !== undefined && { url: readUrl(url) }),
            ...(events !== undefined && { events: readEvents(actor, events) }),
          };
        },
        ifMatch,
        recorder,
      );
      return success(toWebhook(updated), 'Saved');
    },
  }),
  route({
    endpoint: 'DELETE /api/webhooks/{id}',
    access: 'session',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook and its deliveries.',
    params: ofWebhook,
    output: DeletedWebhook,
    auditAction: 'webhook.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) => {
      await webhooks.remove(actor.user.id, id, ifMatch, recorder);
      return success({ id }, 'Deleted');
    },
  }),
  route({
    endpoint: 'POST /api/webhooks/{id}/secret',
    access: 'session',
    summary: 'Create a webhook’s new secret',
    description: 'For 24 hours, requests are signed by the former secret, too.',
    params: ofWebhook,
    output: WebhookWithSecret,
    limits: changeLimits,
    auditAction: 'webhook.renew-secret',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) => {
      const webhook = await webhooks.renewSecret(actor.user.id, id, ifMatch, recorder);
      return success({ ...toWebhook(webhook), secret: webhook.secret }, copyNow);
    },
  }),
  route({
    endpoint: 'POST /api/webhooks/{id}/test',
    access: 'session',
    summary: 'Send a test event',
    description: 'Sends `webhook.test`, as other events are sent: see its delivery.',
    status: 201,
    params: ofWebhook,
    output: DeliveryDetail,
    errors: { CONFLICT: paused },
    limits: sendLimits,
    auditAction: 'webhook.test',
    handle: async ({ actor, params: { id }, recorder }) =>
      success(toDeliveryDetail(await deliveries.sendTest(actor.user.id, id, recorder)), 'Sent'),
  }),
  route({
    endpoint: 'GET /api/webhooks/{id}/deliveries',
    access: 'session',
    summary: 'List deliveries of a webhook',
    description: 'Returns the deliveries of the last 30 days, the newest first.',
    params: ofWebhook,
    query: z.object({ ...pageQuery, ...sortBy(['timestamp']) }),
    output: DeliveryPage,
    handle: async ({ actor, params: { id }, query }) =>
      paginated(await deliveries.list(actor.user.id, id, query), toDelivery),
  }),
  route({
    endpoint: 'GET /api/webhooks/{id}/deliveries/{deliveryId}',
    access: 'session',
    summary: 'Get a delivery',
    description: 'Returns a delivery with what was sent, and the start of the last answer.',
    params: ofDelivery,
    output: DeliveryDetail,
    handle: async ({ actor, params: { id, deliveryId } }) =>
      success(toDeliveryDetail(await deliveries.find(actor.user.id, id, deliveryId))),
  }),
  route({
    endpoint: 'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    access: 'session',
    summary: 'Send an event again',
    description: 'With the same `webhook-id`, and up to five tries.',
    params: ofDelivery,
    output: DeliveryDetail,
    errors: { CONFLICT: `${paused} Or the delivery is on its way already.` },
    limits: sendLimits,
    auditAction: 'webhook.redeliver',
    handle: async ({ actor, params: { id, deliveryId }, recorder }) => {
      const found = await deliveries.redeliver(actor.user.id, id, deliveryId, recorder);
      return success(toDeliveryDetail(found), 'Sent');
    },
  }),
  route({
    endpoint: 'POST /api/webhooks/{id}/redeliver',
    access: 'session',
    summary: 'Send failed events again',
    description: 'Delivers all again that has failed and isn’t waiting, the oldest first.',
    params: ofWebhook,
    output: RedeliveryStarted,
    errors: { CONFLICT: paused },
    limits: sendLimits,
    auditAction: 'webhook.redeliver',
    handle: async ({ actor, params: { id }, recorder }) => {
      await deliveries.redeliverFailed(actor.user.id, id, recorder);
      return success({ started: true as const }, 'They follow within a minute.');
    },
  }),
];
