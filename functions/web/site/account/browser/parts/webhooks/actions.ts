import { confirm } from '../../../../../browser/components/dialog.tsx';
import type { MenuItem } from '../../../../../browser/components/menu.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { showFailure } from '../../../../../browser/shell/feedback.ts';
import { leave } from '../../../../../browser/shell/unsaved.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { url } from '../state.ts';
import { showDelivery } from './delivery-list.ts';
import {
  closeDrawer,
  deletions,
  getName,
  openWebhook,
  shownWebhooks,
  showSecret,
  showWebhook,
  type Webhook,
} from './state.ts';

/** Runs an action. If it fails, says so, and offers to run it again. */
export const attempt = async (run: () => Promise<unknown>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    showFailure((error as Error).message, () => attempt(run));
  }
};

/** Sends a test event, and shows what becomes of it. */
export const sendTest = ({ id }: Webhook): Promise<void> =>
  attempt(async () => {
    const delivery = await api.call('POST /api/webhooks/{id}/test', { params: { id } });
    toast({ text: texts.testSent });
    const { open, part } = url.view.value;
    if (open !== id || part !== undefined) openWebhook(id);
    showDelivery(id, delivery);
  });

/** Pauses or resumes a webhook. */
export const setActive = (webhook: Webhook, active: boolean): Promise<void> =>
  attempt(async () => {
    const params = { id: webhook.id };
    showWebhook(await api.call('PUT /api/webhooks/{id}', { params, body: { active } }));
    toast({ text: active ? texts.resumed(getName(webhook)) : texts.paused(getName(webhook)) });
  });

/** Renews the secret of a webhook once the user agrees, and shows it. */
export const renewSecret = async (webhook: Webhook): Promise<void> => {
  const isAgreed = await confirm({
    title: texts.confirmRenew(getName(webhook)),
    text: texts.confirmRenewText,
    action: texts.renewSecret,
  });
  if (!isAgreed) return;
  await attempt(async () => {
    const params = { id: webhook.id };
    const { secret, ...renewed } = await api.call('POST /api/webhooks/{id}/secret', { params });
    showWebhook(renewed);
    showSecret({ id: webhook.id, secret, isRenewed: true });
  });
};

/** Moves the focus to a row: to the last one, if there are fewer, and without any to the title. */
const focusWebhook = (at: number): void => {
  const links = document.querySelectorAll<HTMLElement>('.setrow a.hook');
  (links[Math.min(at, links.length - 1)] ?? document.getElementById('webhooks'))?.focus();
};

/** Deletes a webhook, which can be undone for some seconds. */
const remove = (webhook: Webhook): void => {
  const go = () => {
    if (url.view.value.open === webhook.id) closeDrawer();
    const at = shownWebhooks.value?.findIndex(({ id }) => id === webhook.id) ?? 0;
    deletions.remove([webhook]);
    // After the list has placed the focus, which knows rows of tables only.
    setTimeout(() => focusWebhook(at));
  };
  if (url.view.value.open === webhook.id) leave(go);
  else go();
};

/** Returns what can be done with a webhook. */
export const listActions = (webhook: Webhook): readonly MenuItem[] => [
  { label: texts.edit, icon: 'pen', run: () => openWebhook(webhook.id, 'settings') },
  ...(webhook.active
    ? ([{ label: texts.sendTest, icon: 'send', run: () => sendTest(webhook) }] as const)
    : []),
  { label: texts.renewSecret, icon: 'key', run: () => renewSecret(webhook) },
  webhook.active
    ? { label: texts.pause, icon: 'pause', run: () => setActive(webhook, false) }
    : { label: texts.resume, icon: 'play', run: () => setActive(webhook, true) },
  {
    label: texts.delete,
    icon: 'trash',
    isBad: true,
    startsGroup: true,
    run: () => remove(webhook),
  },
];
