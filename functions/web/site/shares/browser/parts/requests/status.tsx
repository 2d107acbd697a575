import { Badge } from '../../../../../browser/components/badge.tsx';
import { formatNumber } from '../../../../../browser/data/format.ts';
import { requestStatusTexts } from '../../../../../browser/texts.ts';
import { requestTexts as texts } from '../../../request-texts.ts';
import type { ShareRequest } from './state.ts';

const kinds = {
  open: 'ok',
  full: 'info',
  expired: undefined,
  closed: undefined,
  'taken-down': 'bad',
} as const;

/** Whether a request takes content, and if not, why. */
export const Status = ({ request: { status } }: { readonly request: ShareRequest }) => (
  <Badge hasDot kind={kinds[status]}>
    {requestStatusTexts[status]}
  </Badge>
);

/** Says how many a request has taken: `2 of 5`. */
export const describeReceived = ({ taken, submissions }: ShareRequest): string =>
  texts.receivedOf(formatNumber(taken), formatNumber(submissions));
