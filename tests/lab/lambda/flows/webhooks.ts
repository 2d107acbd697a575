import { expect } from 'vitest';
import { sent } from '../../../support/messages/messages.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { view } from '../../../support/shares/shares.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { signInAgain } from '../../../support/users/use-people.ts';
import {
  ask,
  getWebhook,
  listDeliveries,
  newFailedDelivery,
  newWebhook,
} from '../../../support/webhooks/webhooks.ts';
import { dayMs, type Flows, minuteMs, runAll } from './flow.ts';

let made = 0;

/** Creates an address that no host has: each try fails at once. */
const newUrl = (): string => `https://nobody${made++}.example.com/hook`;

export const webhookFlows: Flows = {
  'a webhook from its creation to its end, with what is sent to it': async () => {
    const ann = await newPerson();
    const { id } = await newWebhook(ann, { url: newUrl(), events: ['share.opened'] });
    const changed = await ask(ann, 'PUT /api/webhooks/{id}', { id }, { body: { label: 'Mine' } });
    expect(changed.status).toBe(200);
    expect((await ask(ann, 'POST /api/webhooks/{id}/secret', { id })).status).toBe(200);
    const sent = await ask(ann, 'POST /api/webhooks/{id}/test', { id });
    expect(sent.status).toBe(201);
    await runAll();
    const waiting = (await listDeliveries(ann, id)).items;
    expect(waiting).toMatchObject([{ status: 'waiting', tries: 1 }]);
    const deliveryId = await newFailedDelivery(id);
    const again = 'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver';
    expect((await ask(ann, again, { id, deliveryId })).status).toBe(200);
    await newFailedDelivery(id);
    expect((await ask(ann, 'POST /api/webhooks/{id}/redeliver', { id })).status).toBe(200);
    pass(minuteMs);
    await runAll();
    expect((await ask(ann, 'DELETE /api/webhooks/{id}', { id })).status).toBe(200);
    pass(minuteMs);
    await runAll();
    expect((await ask(ann, 'GET /api/webhooks/{id}', { id })).status).toBe(404);
  },
  'an own event, told to a webhook': async () => {
    const ann = await newPerson();
    const { id } = await newWebhook(ann, { url: newUrl(), events: ['*'] });
    await view(await sharesOf(ann).newShare({ notify: true }));
    pass(minuteMs);
    await sent(await newPerson(), [ann]);
    // Too many for one transaction: the message waits for a job, before which a read delivers it.
    const others = await Promise.all(Array.from({ length: 40 }, () => newPerson()));
    await sent(await newPerson(), [ann, ...others]);
    expect((await call('GET /api/notifications', { token: ann.token })).status).toBe(200);
    pass(minuteMs);
    await runAll();
    expect((await listDeliveries(ann, id)).items).toMatchObject([
      { type: 'message.received' },
      { type: 'message.received' },
      { type: 'share.opened' },
    ]);
  },
  'what the audit has, told to a webhook that fails until it is paused': async () => {
    const root = await newUserOf('super_admin');
    const { id } = await newWebhook(root, { url: newUrl(), events: ['share.create'] });
    pass(minuteMs);
    await runAll();
    // An event a day: a delivery is given up after six hours.
    for (let day = 0; day < 4; day++) {
      if (day > 0) pass(dayMs);
      await signInAgain(root);
      await sharesOf(root).newShare();
      pass(minuteMs);
      await runAll();
      expect((await listDeliveries(root, id)).items[0]).toMatchObject({ type: 'share.create' });
    }
    expect(await getWebhook(root, id)).toMatchObject({ status: 'paused', pausedBy: 'failures' });
    const [admin, params] = [await newUserOf('super_admin'), { id: String(root.id) }];
    await newWebhook(root, { url: newUrl(), events: ['share.create'] });
    const removed = await call('DELETE /api/users/{id}', { token: admin.token, params });
    expect(removed.status).toBe(200);
    pass(minuteMs);
    await runAll();
  },
};
