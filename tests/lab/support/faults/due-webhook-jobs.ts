import { newUser } from '../../../support/sample-requests/sample-request.ts';
import { ask, newFailedDelivery, newWebhook, tell } from '../../../support/webhooks/webhooks.ts';

/** Creates a webhook whose host has no address. */
const newHook = async () => {
  const user = await newUser();
  const { id } = await newWebhook(user, { url: 'https://nobody.invalid/hook' });
  return { user, id: id as number };
};

/** Creates a pending job of each type about webhooks. */
export const dueWebhookJobs: Readonly<Record<string, () => Promise<unknown>>> = {
  'webhook-event': async () => {
    await tell((await newHook()).user);
  },
  'webhook-delivery': async () => {
    const { user, id } = await newHook();
    await ask(user, 'POST /api/webhooks/{id}/test', { id });
  },
  'webhook-redelivery': async () => {
    const { user, id } = await newHook();
    await newFailedDelivery(id);
    await ask(user, 'POST /api/webhooks/{id}/redeliver', { id });
  },
  'webhook-removal': async () => {
    const { user, id } = await newHook();
    await newFailedDelivery(id);
    await ask(user, 'DELETE /api/webhooks/{id}', { id });
  },
};
