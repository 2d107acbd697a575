import { afterRendering } from '../../../../../browser/after-rendering.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { Empty } from '../../../../../browser/components/empty.tsx';
import { ListFrame } from '../../../../../browser/components/list-frame.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { componentTexts } from '../../../../../browser/components/texts.ts';
import { toast } from '../../../../../browser/components/toast.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { attempt, sendTest, setActive } from './actions.ts';
import { DeliveryRow } from './delivery.tsx';
import { type Delivery, deliveryList } from './delivery-list.ts';
import { formatUntil } from './moments.ts';
import type { Webhook } from './state.ts';

/** Returns when the next try is, of those deliveries that are shown. */
const findNextTry = (deliveries: readonly Delivery[]): string | undefined =>
  deliveries.flatMap(({ nextTryAt }) => nextTryAt ?? []).toSorted()[0];

/** Says what is wrong with a webhook. */
const State = ({ webhook }: { readonly webhook: Webhook }) => {
  const { status, failures, pausedBy } = webhook;
  if (status === 'working') return null;
  if (status === 'paused') {
    const resume = (
      <Button size="sm" onClick={() => setActive(webhook, true)}>
        {texts.resume}
      </Button>
    );
    return (
      <Notice {...(pausedBy !== 'owner' && { kind: 'warn' as const })} action={resume}>
        {texts.pausedBy[pausedBy ?? 'owner']}
      </Notice>
    );
  }
  const next = findNextTry(deliveryList.value?.list.items.value ?? []);
  return (
    <Notice kind="warn">
      {texts.failed(failures)}{' '}
      {next === undefined ? texts.noMoreTries : texts.nextTry(formatUntil(next))}
    </Notice>
  );
};

const deliverFailed = ({ id }: Webhook): Promise<void> =>
  attempt(async () => {
    await api.call('POST /api/webhooks/{id}/redeliver', { params: { id } });
    toast({ text: texts.deliveringFailed });
    deliveryList.value?.watch(true);
  });

/** Appends the next page, and moves the focus to its first delivery. */
const showMore = async (button: HTMLElement, count: number): Promise<void> => {
  const rows = button.previousElementSibling;
  await deliveryList.value?.list.loadMore();
  afterRendering(() => rows?.querySelectorAll('summary')[count]?.focus());
};

/** What became of the calls of a webhook, the newest first. */
export const Deliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const { list } = deliveryList.value ?? {};
  const hasFailed = list?.items.value?.some(({ status }) => status === 'failed') ?? false;
  return (
    <>
      <State webhook={webhook} />
      {webhook.active && (
        <div class="row wrap mt">
          <Button size="sm" icon="send" onClick={() => sendTest(webhook)}>
            {texts.sendTest}
          </Button>
          {hasFailed && (
            <Button size="sm" icon="again" onClick={() => deliverFailed(webhook)}>
              {texts.deliverFailed}
            </Button>
          )}
        </div>
      )}
      {list && (
        <ListFrame
          list={list}
          empty={() => (
            <Empty
              title={texts.noDeliveries}
              {...(webhook.active && { text: texts.noDeliveriesAbout })}
            />
          )}
        >
          {(items) => (
            <>
              <ul class="calls" aria-label={texts.deliveries}>
                {items.map((delivery) => (
                  <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
                ))}
              </ul>
              {list.hasNext.value && (
                <Button
                  isBusy={list.isLoading.value}
                  onClick={({ currentTarget }) => showMore(currentTarget, items.length)}
                >
                  {componentTexts.showMore}
                </Button>
              )}
            </>
          )}
        </ListFrame>
      )}
    </>
  );
};
