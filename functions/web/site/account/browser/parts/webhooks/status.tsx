import { Badge } from '../../../../../browser/components/badge.tsx';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { formatMoment } from './moments.ts';
import type { Webhook } from './state.ts';

const kinds = { working: 'ok', failing: 'warn', paused: undefined } as const;

/** Whether a webhook works. */
export const Status = ({ status }: Pick<Webhook, 'status'>) => (
  <Badge hasDot kind={kinds[status]}>
    {texts.statuses[status]}
  </Badge>
);

/** Says in a few words what a webhook did last, or why it is paused. */
export const describeState = (webhook: Webhook): string => {
  const { status, failures, lastDelivery, pausedBy } = webhook;
  if (status === 'paused') return texts.pausedShort[pausedBy ?? 'owner'];
  if (status === 'failing') return texts.failures(failures);
  return lastDelivery ? formatMoment(lastDelivery.at) : texts.notCalled;
};
