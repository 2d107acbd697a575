import { ask, createWebhook, newFailedDelivery, newWebhook } from '../webhooks/webhooks.ts';
import { newUser, type TypicalCalls } from './sample-request.ts';

const url = 'https://hooks.example.com/handbill';

/** Creates a user with a webhook. */
const withWebhook = async () => {
  const user = await newUser();
  const { id } = await newWebhook(user, { url, events: ['share.opened'] });
  return { user, id };
};

/** Creates a user with a webhook and a delivery that failed. */
const withDelivery = async () => {
  const { user, id } = await withWebhook();
  return { user, id, deliveryId: await newFailedDelivery(id) };
};

const ofWebhook = (endpoint: string, body?: unknown) => async () => {
  const { user, id } = await withWebhook();
  return () => ask(user, endpoint, { id }, body === undefined ? {} : { body });
};

const ofDelivery = (endpoint: string) => async () => {
  const { user, id, deliveryId } = await withDelivery();
  return () => ask(user, endpoint, { id, deliveryId });
};

export const webhookCalls: TypicalCalls = {
  'GET /api/webhooks/events': async () => {
    const user = await newUser();
    return () => ask(user, 'GET /api/webhooks/events');
  },
  'GET /api/webhooks': async () => {
    const { user } = await withWebhook();
    return () => ask(user, 'GET /api/webhooks');
  },
  'POST /api/webhooks': async () => {
    const user = await newUser();
    return () => createWebhook(user, { url });
  },
  'GET /api/webhooks/{id}': ofWebhook('GET /api/webhooks/{id}'),
  'PUT /api/webhooks/{id}': ofWebhook('PUT /api/webhooks/{id}', { events: ['*'] }),
  'DELETE /api/webhooks/{id}': ofWebhook('DELETE /api/webhooks/{id}'),
  'POST /api/webhooks/{id}/secret': ofWebhook('POST /api/webhooks/{id}/secret'),
  'POST /api/webhooks/{id}/test': ofWebhook('POST /api/webhooks/{id}/test'),
  'GET /api/webhooks/{id}/deliveries': async () => {
    const { user, id } = await withDelivery();
    return () => ask(user, 'GET /api/webhooks/{id}/deliveries', { id });
  },
  'GET /api/webhooks/{id}/deliveries/{deliveryId}': ofDelivery(
    'GET /api/webhooks/{id}/deliveries/{deliveryId}',
  ),
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': ofDelivery(
    'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  ),
  'POST /api/webhooks/{id}/redeliver': ofWebhook('POST /api/webhooks/{id}/redeliver'),
};
