import { formatNumber, formatTime } from '../../../../../browser/data/format.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import type { Share } from '../state.ts';
import { Facts } from './facts.tsx';

/** How often a share was opened, when first and last, and what ended it. */
export const Views = ({ share }: { readonly share: Share }) => {
  const { views, viewsLeft, firstViewedAt, lastViewedAt, endedBy } = share;
  const names = texts.views;
  return (
    <Facts
      rows={[
        [names.count, formatNumber(views)],
        [names.left, viewsLeft === null ? texts.unlimited : formatNumber(viewsLeft)],
        [names.first, firstViewedAt === null ? texts.never : formatTime(firstViewedAt)],
        ...(lastViewedAt === null ? [] : ([[names.last, formatTime(lastViewedAt)]] as const)),
        ...(endedBy === null ? [] : ([[names.endedBy, texts.ends[endedBy]]] as const)),
      ]}
    />
  );
};
