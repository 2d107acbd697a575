import { Badge } from '../../../../browser/components/badge.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import type { IconName } from '../../../../layout/icons.ts';
import { filesTexts as texts } from '../../texts.ts';
import { type File, rightsOf } from './state.ts';

/** Says who sees a file that the user manages; of others, what the user may do with it. */
export const describeAccess = (file: File): readonly [icon: IconName, text: string] => {
  const { visibility, sharedWith, actions } = file;
  const { isOwn } = rightsOf(file);
  if (!isOwn && !actions.includes('manage')) return ['eye', texts.canRead];
  if (visibility === 'everyone') return ['globe', texts.everyone];
  const { length } = sharedWith;
  if (length === 0) return ['lock', isOwn ? texts.onlyYou : texts.onlyOwner];
  return ['users', length === 1 ? texts.onePerson : texts.people(formatNumber(length))];
};

/** Who has access to a file, in a list. */
export const Access = ({ file }: { readonly file: File }) => {
  const [icon, text] = describeAccess(file);
  return <Badge icon={icon}>{text}</Badge>;
};
