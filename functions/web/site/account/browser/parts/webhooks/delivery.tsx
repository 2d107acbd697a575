import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Icon } from '../../../../../browser/components/icon.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { formatNumber } from '../../../../../browser/data/format.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { Snippet } from '../assistants/snippet.tsx';
import { attempt } from './actions.ts';
import { type Delivery, type DeliveryDetail, showDelivery } from './delivery-list.ts';
import { formatMoment, formatUntil } from './moments.ts';
import type { Webhook } from './state.ts';

const lamps = { delivered: '', waiting: 'warn', failed: 'bad' } as const;

interface DeliveryProps {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

const deliverAgain = ({ id }: Webhook, deliveryId: string): Promise<void> =>
  attempt(async () => {
    const begun = await api.call('POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
      params: { id, deliveryId },
    });
    toast({ text: texts.sentAgain });
    showDelivery(id, begun);
  });

/** Says when a delivery was tried, and how that went. */
const describe = ({ timestamp, status, tries, maxTries, lastTry }: Delivery): string => {
  const when = formatMoment(lastTry?.at ?? timestamp);
  if (!lastTry || (tries === 0 && status !== 'failed')) return `${when} · ${texts.sending}`;
  const how =
    status === 'delivered'
      ? texts.duration(formatNumber(lastTry.ms))
      : texts.tries(tries, maxTries);
  return `${when} · ${how}`;
};

/** Says what is not seen from the status: why there was no answer, and when the next try is. */
const explain = ({ status, tries, lastTry, nextTryAt }: Delivery): readonly string[] => [
  ...(lastTry?.reason && lastTry.httpStatus === null ? [lastTry.reason] : []),
  ...(status === 'waiting' && nextTryAt && tries > 0
    ? [texts.nextTryOf(formatUntil(nextTryAt))]
    : []),
];

/** Returns JSON as people read it. */
const print = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
};

const Details = ({ detail }: { readonly detail: DeliveryDetail }) => {
  const { lastTry, answer, request, id } = detail;
  return (
    <>
      {lastTry && (
        <>
          <p class="tiny mute">
            {lastTry.httpStatus === null
              ? texts.noAnswer(formatNumber(lastTry.ms))
              : texts.answer(lastTry.httpStatus, formatNumber(lastTry.ms))}
          </p>
          {answer !== null && <Snippet text={answer} name={texts.response} />}
          {answer === null && lastTry.httpStatus !== null && (
            <p class="small">{texts.emptyAnswer}</p>
          )}
        </>
      )}
      <p class="tiny mute mt">{texts.request}</p>
      <Snippet key={id} text={print(request)} name={texts.requestBody} isJson />
    </>
  );
};

/** What was sent, and what was answered. It is read again when another try has ended. */
const LoadedDetails = ({ webhook, delivery }: DeliveryProps) => {
  const { id: deliveryId, lastTry } = delivery;
  const source = useMemo(() => {
    const created = createSource(() =>
      api.call('GET /api/webhooks/{id}/deliveries/{deliveryId}', {
        params: { id: webhook.id, deliveryId },
      }),
    );
    void created.load();
    return created;
  }, [deliveryId, lastTry?.at]);
  return (
    <Loaded source={source} lines={2}>
      {(detail) => <Details detail={detail} />}
    </Loaded>
  );
};

/** A delivery, with its details once it is unfolded. */
export const DeliveryRow = (props: DeliveryProps) => {
  const { webhook, delivery } = props;
  const { id, type, timestamp, status, lastTry } = delivery;
  const [isOpen, setIsOpen] = useState(false);
  const again = () => deliverAgain(webhook, id);
  const mayRepeat = webhook.active && status !== 'waiting';
  return (
    <li>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          <span class={`lamp ${lamps[status]}`} />
          <span class="grow">
            <b>{type}</b>
            <span class="vh"> {texts.deliveryStatuses[status]} </span>
            <small>{describe(delivery)}</small>
            {explain(delivery).map((line) => (
              <small key={line}>{line}</small>
            ))}
          </span>
          {lastTry && lastTry.httpStatus !== null && <span class="mono">{lastTry.httpStatus}</span>}
          <Icon name="down" />
        </summary>
        {isOpen && (
          <div class="details">
            <LoadedDetails {...props} />
            {mayRepeat && (
              <p class="mt">
                <Button size="sm" icon="again" onClick={again}>
                  {texts.deliverAgain}
                </Button>
              </p>
            )}
          </div>
        )}
      </details>
      {mayRepeat && status === 'failed' && !isOpen && (
        <Button
          kind="ghost"
          size="sm"
          icon="again"
          label={texts.deliverOneAgain(type, formatMoment(timestamp))}
          onClick={again}
        />
      )}
    </li>
  );
};
