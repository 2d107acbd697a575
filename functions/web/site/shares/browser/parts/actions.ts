import type { ApiError } from '../../../../browser/client/api-error.ts';
import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { doUndoably } from '../../../../browser/data/undoable.ts';
import {
  copyShareLink,
  type ListedShare,
  toKeptLink,
} from '../../../../browser/sealed/kept-link.ts';
import { api } from '../../../../browser/shell/api.ts';
import { sharesTexts as texts } from '../../texts.ts';
import type { TabName } from '../../view.ts';
import { ending, remove, type Share, update, url } from './state.ts';

const showEnding = ({ id }: Share, isEnding: boolean): void => {
  const ids = new Set(ending.value);
  if (isEnding) ids.add(id);
  else ids.delete(id);
  ending.value = ids;
};

/** One that has already ended is fine. */
const sendEnd = (share: Share, keepalive: boolean): Promise<object> =>
  api
    .call('POST /api/share/{id}/end', { params: { id: share.id }, keepalive })
    .catch((error: ApiError) => {
      if (error.status !== 410) throw error;
      return { status: 'ended' };
    });

/** Ends a share, which can be undone for some seconds. */
const end = (share: Share): void => {
  const name = getShareName(share);
  showEnding(share, true);
  doUndoably({
    text: texts.ended(name),
    commit: async ({ keepalive }) => {
      showEnding(share, true);
      update([{ ...(await sendEnd(share, keepalive)), id: share.id }]);
      showEnding(share, false);
    },
    putBack: () => showEnding(share, false),
    describeFailure: ({ message }) => texts.notEnded(name, message),
  });
};

/** Lets the user choose when shares expire. */
export const extend = async (shares: readonly Share[]): Promise<void> =>
  (await import('./extend.tsx')).askExpiration(shares);

/** Copies the link of a share. */
export const copyLink = (share: ListedShare): unknown =>
  copyShareLink(share, { done: texts.linkCopied, failed: texts.copyFailed });

/** Lists what can be done with a share. */
export const listActions = (share: Share): readonly MenuItem[] => {
  const { id, status, sealed } = share;
  const href = toKeptLink(share);
  const deletion: MenuItem = {
    label: texts.delete,
    icon: 'trash',
    isBad: true,
    run: () => remove([share]),
  };
  const toTab = (tab: TabName) => ({
    label: texts.tabs[tab],
    run: () =>
      url.change({ open: id, tab }, url.view.value.open === undefined ? 'push' : 'replace'),
  });
  const tabs: readonly MenuItem[] = [
    { ...toTab('people'), icon: 'users' },
    { ...toTab('links'), icon: 'send' },
    { ...toTab('views'), icon: 'eye' },
  ];
  // Envelopes can't be compared.
  const revisions: readonly MenuItem[] = sealed
    ? []
    : [{ label: texts.revisions, icon: 'log', href: `/s/${id}/revisions` }];
  if (status !== 'active') {
    return [{ label: texts.open, icon: 'open', href }, ...tabs, deletion];
  }
  return [
    { label: texts.open, icon: 'open', href },
    { label: texts.copyLink, icon: 'link', run: () => copyLink(share) },
    ...tabs,
    { label: texts.edit, icon: 'pen', href: toKeptLink(share, `/?edit=${id}`) },
    ...revisions,
    { label: texts.duplicate, icon: 'copy', href: toKeptLink(share, `/?duplicate=${id}`) },
    { label: texts.extend, icon: 'cal', run: () => extend([share]) },
    { label: texts.end, icon: 'clock', startsGroup: true, run: () => end(share) },
    deletion,
  ];
};
