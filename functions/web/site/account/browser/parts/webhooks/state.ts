import { computed, type Signal, signal } from '@preact/signals';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { createDeletions } from '../../../../../browser/data/deletions.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { url } from '../state.ts';

export type Webhook = Data<'GET /api/webhooks'>[number];

/** The webhooks of the user, as read last. */
export const webhooks = createSource(() => api.call('GET /api/webhooks'));

/** The events that the user may choose. */
export const eventTypes = createSource(() => api.call('GET /api/webhooks/events'));

/** Returns the host of a webhook's address. */
export const getHost = ({ url: address }: Pick<Webhook, 'url'>): string =>
  URL.parse(address)?.host ?? address;

/** Returns what a webhook is called. */
export const getName = (webhook: Pick<Webhook, 'url' | 'label'>): string =>
  webhook.label ?? getHost(webhook);

/** Shows a webhook as it was read or saved last, unless the page knows a newer version. */
export const showWebhook = (next: Webhook): void => {
  webhooks.data.value = webhooks.data.value?.map((one) =>
    one.id === next.id && one.version <= next.version ? next : one,
  );
};

/** Reads a webhook again: its deliveries change its status. */
export const reloadWebhook = async (id: number): Promise<void> => {
  showWebhook(await api.call('GET /api/webhooks/{id}', { params: { id } }));
};

export const deletions = createDeletions<Webhook, number>({
  items: webhooks.data as Signal<readonly Webhook[] | undefined>,
  getId: ({ id }) => id,
  getName,
  send: ({ id }, { keepalive }) =>
    api.call('DELETE /api/webhooks/{id}', { params: { id }, keepalive }),
});

/** The webhooks that are shown. */
export const shownWebhooks = computed(() =>
  webhooks.data.value?.filter(({ id }) => !deletions.hidden.value.has(id)),
);

/** A secret that the service has just shown, of a webhook. */
interface NewSecret {
  readonly id: number;
  readonly secret: string;
  /** Whether another one was valid before it. */
  readonly isRenewed: boolean;
}

/** The secret that the user has to copy, until they say that they have. */
export const newSecret = signal<NewSecret | undefined>(undefined);
/** Whether the user has a copy of it. */
export const isSecretCopied = signal(false);

/** Shows a secret to be copied. */
export const showSecret = (next: NewSecret): void => {
  isSecretCopied.value = false;
  newSecret.value = next;
};

/** Forgets the secret. */
export const forgetSecret = (): void => {
  newSecret.value = undefined;
};

/** Returns whether leaving would lose a secret that no one has copied. The form that made it closes unasked. */
export const isSecretLost = (): boolean =>
  newSecret.value !== undefined && !isSecretCopied.value && !url.view.value.isCreating;

/** Opens a webhook beside the list. */
export const openWebhook = (id: number, part?: 'settings'): void => {
  const { open } = url.view.value;
  url.change({ isCreating: false, open: id, part }, open === undefined ? 'push' : 'replace');
};

/** Closes what is open beside the list. */
export const closeDrawer = (): void =>
  url.close({ isCreating: false, open: undefined, part: undefined });
