import { confirm } from '../../../../browser/components/dialog.tsx';
import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { copyText } from '../../../../browser/data/clipboard.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { sharesTexts as texts } from '../../texts.ts';
import { list, remove, type Share } from './state.ts';

const end = async (share: Share): Promise<void> => {
  const name = getShareName(share);
  const isAgreed = await confirm({
    title: texts.endTitle,
    text: texts.endText(name),
    action: texts.endShare,
  });
  if (!isAgreed) return;
  try {
    const ended = await api.call('POST /api/share/{id}/end', { params: { id: share.id } });
    list.items.value = list.items.value?.map((one) =>
      one.id === share.id ? { ...one, ...ended } : one,
    );
    toast({ text: texts.ended(name) });
  } catch (error) {
    showFailure((error as Error).message, () => end(share));
  }
};

/** Lists what can be done with a share. */
export const listActions = (share: Share): readonly MenuItem[] => {
  const { id, url, status } = share;
  const deletion: MenuItem = {
    label: texts.delete,
    icon: 'trash',
    isBad: true,
    run: () => remove([share]),
  };
  const links: MenuItem = {
    label: texts.links,
    icon: 'users',
    run: async () => (await import('./links.tsx')).openLinks(share),
  };
  if (status !== 'active') {
    return [{ label: texts.open, icon: 'open', href: url }, links, deletion];
  }
  return [
    { label: texts.open, icon: 'open', href: url },
    {
      label: texts.copyLink,
      icon: 'link',
      run: () => copyText(url, texts.linkCopied, texts.copyFailed),
    },
    links,
    { label: texts.edit, icon: 'pen', href: `/?edit=${id}` },
    { label: texts.end, icon: 'clock', startsGroup: true, run: () => end(share) },
    deletion,
  ];
};
