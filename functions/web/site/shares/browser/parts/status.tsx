import { Badge } from '../../../../browser/components/badge.tsx';
import { shareListTexts } from '../../../../browser/texts.ts';
import { sharesTexts as texts } from '../../texts.ts';
import { endsSoon } from '../../view.ts';
import type { Share } from './state.ts';

const kinds = { ended: undefined, 'taken-down': 'bad', suspended: 'bad' } as const;

/** Whether a share can be opened, and whether it ends soon. */
export const Status = ({ share }: { readonly share: Share }) => {
  const { status } = share;
  if (status !== 'active') {
    return (
      <Badge hasDot kind={kinds[status]}>
        {shareListTexts.statuses[status]}
      </Badge>
    );
  }
  const isSoon = endsSoon(share);
  return (
    <Badge hasDot kind={isSoon ? 'warn' : 'ok'}>
      {isSoon ? texts.endsSoon : texts.active}
    </Badge>
  );
};
