import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { sharesTexts as texts } from '../../texts.ts';
import { list, loadShares, type Share, selection, update } from './state.ts';

/** Returns the shares as the list knows them now. */
const readAgain = (shares: readonly Share[]): readonly Share[] => {
  const ids = new Set(shares.map(({ id }) => id));
  return (list.items.value ?? []).filter(({ id }) => ids.has(id));
};

/** Lets shares expire at a time, or never: one request each, which can be repeated. Names those that failed. */
export const setExpiration = async (
  shares: readonly Share[],
  expiresAt: string | null,
): Promise<void> => {
  const changed: Share[] = [];
  const { failed } = await runForEach(shares, async ({ id, version }) => {
    const path = 'PUT /api/share/{id}';
    changed.push(await api.call(path, { params: { id }, body: { expiresAt }, ifMatch: version }));
  });
  selection.value = new Set();
  update(changed);
  if (changed[0]) {
    const time = expiresAt === null ? undefined : formatTime(expiresAt);
    toast({
      text:
        changed.length === 1
          ? texts.extended(getShareName(changed[0]), time)
          : texts.extendedSome(formatNumber(changed.length), time),
    });
  }
  if (failed[0]) {
    const rest = failed.map(({ item }) => item);
    const names = formatList(rest.map((share) => `“${getShareName(share)}”`));
    // What others have changed is repeated with the version that the list then shows.
    const again = async () => {
      await loadShares();
      await setExpiration(readAgain(rest), expiresAt);
    };
    showFailure(texts.notExtended(names, failed[0].error.message), again);
  }
};
