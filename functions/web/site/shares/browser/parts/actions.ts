import type { ApiError } from '../../../../browser/client/api-error.ts';
import { confirm } from '../../../../browser/components/dialog.tsx';
import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { doUndoably } from '../../../../browser/data/undoable.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { sharesTexts as texts } from '../../texts.ts';
import { getName, hidden, list, type Share, selection } from './state.ts';

const copyLink = async ({ url }: Share): Promise<void> => {
  try {
    await navigator.clipboard.writeText(url);
    toast({ text: texts.linkCopied });
  } catch {
    toast({ text: texts.copyFailed, kind: 'bad' });
  }
};

const end = async (share: Share): Promise<void> => {
  const name = getName(share);
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

/** Some shares that could not be deleted. */
class DeletionError extends Error {
  readonly failed: readonly Share[];

  constructor(failed: readonly { readonly item: Share; readonly error: Error }[]) {
    super(failed[0]?.error.message);
    this.failed = failed.map(({ item }) => item);
  }
}

/** Deletes one share by request. One that is already deleted is fine. */
const deleteOne = async ({ id }: Share, keepalive: boolean): Promise<void> => {
  try {
    await api.call('DELETE /api/share/{id}', { params: { id }, keepalive });
  } catch (error) {
    if ((error as ApiError).status !== 404) throw error;
  }
};

/** Moves the focus to the row that takes the place of a removed one. */
const focusRow = (at: number): void => {
  setTimeout(() => {
    const names = document.querySelectorAll<HTMLElement>('#shares td.m a');
    (names[Math.min(at, names.length - 1)] ?? document.querySelector('main'))?.focus();
  });
};

/** Deletes shares, which can be undone for some seconds. */
export const remove = (shares: readonly Share[]): void => {
  const [first] = shares;
  if (!first) return;
  const rows = [...document.querySelectorAll('#shares tbody tr')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  let rest = shares;
  hidden.value = new Set([...hidden.value, ...shares.map(({ id }) => id)]);
  selection.value = new Set();
  focusRow(Math.max(at, 0));
  const put = () => {
    const back = new Set(rest.map(({ id }) => id));
    hidden.value = new Set([...hidden.value].filter((id) => !back.has(id)));
  };
  doUndoably({
    text:
      shares.length === 1
        ? texts.deleted(getName(first))
        : texts.deletedSome(formatNumber(shares.length)),
    commit: async ({ keepalive }) => {
      hidden.value = new Set([...hidden.value, ...rest.map(({ id }) => id)]);
      const { failed } = await runForEach(rest, (share) => deleteOne(share, keepalive));
      rest = failed.map(({ item }) => item);
      const kept = new Set(rest.map(({ id }) => id));
      const gone = new Set(shares.map(({ id }) => id).filter((id) => !kept.has(id)));
      list.items.value = list.items.value?.filter(({ id }) => !gone.has(id));
      if (failed.length > 0) throw new DeletionError(failed);
    },
    putBack: put,
    describeFailure: (error) =>
      texts.notDeleted(
        formatList(
          (error instanceof DeletionError ? error.failed : rest).map(
            (share) => `“${getName(share)}”`,
          ),
        ),
        error.message,
      ),
  });
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
  if (status !== 'active') return [{ label: texts.open, icon: 'open', href: url }, deletion];
  return [
    { label: texts.open, icon: 'open', href: url },
    { label: texts.copyLink, icon: 'link', run: () => copyLink(share) },
    { label: texts.edit, icon: 'pen', href: `/?edit=${id}` },
    { label: texts.end, icon: 'clock', startsGroup: true, run: () => end(share) },
    deletion,
  ];
};
