import { Badge } from '../../../../browser/components/badge.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { sharesTexts as texts } from '../../texts.ts';
import type { Share } from './state.ts';

const icons = { link: 'link', members: 'building', people: 'users', private: 'lock' } as const;

/** Says who can open a share, in a word or two. */
export const describeAudience = ({
  audience,
  readers,
}: Pick<Share, 'audience' | 'readers'>): string => {
  if (audience !== 'people') return texts.who[audience];
  return readers.length === 0 ? texts.who.private : texts.people(formatNumber(readers.length));
};

/** Who can open a share. */
export const Audience = ({ share }: { readonly share: Share }) => {
  const isForPeople = share.audience === 'people' && share.readers.length > 0;
  const icon = share.audience === 'people' && !isForPeople ? 'lock' : icons[share.audience];
  return (
    <Badge icon={icon} {...(isForPeople && { kind: 'info' })}>
      {describeAudience(share)}
    </Badge>
  );
};
