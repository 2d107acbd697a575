import { type ReadonlySignal, signal } from '@preact/signals';
import type { Data, Item } from '../../../../../browser/client/endpoints.ts';
import { createPagedList, type PagedList } from '../../../../../browser/data/paged-list.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { reloadWebhook } from './state.ts';

export type Delivery = Item<'GET /api/webhooks/{id}/deliveries'>;
export type DeliveryDetail = Data<'GET /api/webhooks/{id}/deliveries/{deliveryId}'>;

const pageSize = 20;

/** The pauses between two looks for what has changed (ms): shortly after an action, and then seldom. */
const pausesMs = [500, 1_000, 1_000, 2_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const;
/** How many of them follow whatever is seen. */
const quickLooks = 3;

/** The deliveries of the open webhook. */
interface DeliveryList {
  readonly webhookId: number;
  readonly list: PagedList<Delivery>;
  /** Looks soon for what has changed, because something was sent; for a minute if that begins later. */
  watch(isLater?: boolean): void;
  stop(): void;
}

const current = signal<DeliveryList | undefined>(undefined);

/** The deliveries of the open webhook. */
export const deliveryList: ReadonlySignal<DeliveryList | undefined> = current;

const read = async (id: number, start: object) => {
  const page = await api.call('GET /api/webhooks/{id}/deliveries', {
    params: { id },
    query: { pageSize, ...start },
  });
  if (!('items' in page)) throw new Error('The API returned no page');
  return page;
};

/** Returns deliveries with newer ones in their places, or before them. */
const merge = (known: readonly Delivery[], newer: readonly Delivery[]): readonly Delivery[] => {
  const byId = new Map(newer.map((one) => [one.id, one]));
  const added = newer.filter(({ id }) => !known.some((one) => one.id === id));
  return [...added, ...known.map((one) => byId.get(one.id) ?? one)];
};

/** Whether a try may run now, so that what is shown is soon no longer true. */
const isUnderWay = ({ status, nextTryAt }: Delivery): boolean =>
  status === 'waiting' && (nextTryAt === null || Date.parse(nextTryAt) <= Date.now() + 1_000);

const createDeliveryList = (webhookId: number): DeliveryList => {
  const list = createPagedList<Delivery>((start) => read(webhookId, start));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = async () => {
    const known = list.items.peek();
    if (document.hidden || known === undefined) return;
    const { items } = await read(webhookId, { page: 1 });
    list.items.value = merge(list.items.peek() ?? [], items);
    await reloadWebhook(webhookId);
  };
  const lookAgain = (step: number, isLater: boolean) => {
    clearTimeout(timer);
    const pause = pausesMs[step];
    if (pause === undefined) return;
    timer = setTimeout(async () => {
      // What can’t be read now is read by the next look.
      await update().catch(() => undefined);
      const isOpen = current.peek()?.webhookId === webhookId;
      const mayChange = isLater || step < quickLooks || list.items.peek()?.some(isUnderWay);
      if (isOpen && mayChange) lookAgain(step + 1, isLater);
    }, pause);
  };
  return {
    webhookId,
    list,
    watch: (isLater = false) => lookAgain(0, isLater),
    stop: () => clearTimeout(timer),
  };
};

/** Loads the deliveries of a webhook that opens. Returns what ends that. */
export const openDeliveries = (webhookId: number): (() => void) => {
  const opened = createDeliveryList(webhookId);
  current.value = opened;
  void opened.list.load(1).then(() => {
    if (opened.list.items.peek()?.some(isUnderWay)) opened.watch();
  });
  return () => {
    opened.stop();
    if (current.peek() === opened) current.value = undefined;
  };
};

/** Shows a delivery that was begun, and then what becomes of it. */
export const showDelivery = (webhookId: number, delivery: Delivery): void => {
  const opened = current.peek();
  if (opened?.webhookId !== webhookId) return;
  const { items } = opened.list;
  if (items.value) items.value = merge(items.value, [delivery]);
  opened.watch();
};
