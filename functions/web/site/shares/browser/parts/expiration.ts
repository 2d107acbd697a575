import { componentTexts } from '../../../../browser/components/texts.ts';
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

/** What becomes of the expiration of each share, and what to say. */
interface Change {
  readonly toTime: (share: Share) => string | null;
  readonly tellDone: (changed: readonly Share[]) => void;
  readonly describeFailure: (names: string, reason: string) => string;
}

/** Sets when shares expire: one request each, which can be repeated. Names those that failed. */
const change = async (shares: readonly Share[], how: Change): Promise<void> => {
  const changed: Share[] = [];
  const { failed } = await runForEach(shares, async (share) => {
    const { id, version } = share;
    const body = { expiresAt: how.toTime(share) };
    changed.push(await api.call('PUT /api/share/{id}', { params: { id }, body, ifMatch: version }));
  });
  selection.value = new Set();
  update(changed);
  if (changed.length > 0) how.tellDone(changed);
  if (failed[0]) {
    const rest = failed.map(({ item }) => item);
    const names = formatList(rest.map((share) => `“${getShareName(share)}”`));
    // What others have changed is repeated with the version that the list then shows.
    const again = async () => {
      await loadShares();
      await change(readAgain(rest), how);
    };
    showFailure(how.describeFailure(names, failed[0].error.message), again);
  }
};

/** Returns whether a share would expire sooner at a time than it does now. `null` is never. */
const isSooner = (expiresAt: string | null, now: string | null): boolean =>
  expiresAt !== null && (now === null || Date.parse(expiresAt) < Date.parse(now));

/**
 * Lets shares expire at a time, or never, which can be undone for some seconds. Those that expire later stay as they are: to
 * extend never shortens.
 */
export const extendExpiration = async (
  all: readonly Share[],
  expiresAt: string | null,
): Promise<void> => {
  const shares = all.filter((share) => !isSooner(expiresAt, share.expiresAt));
  if (shares.length < all.length) toast({ text: texts.laterStay(all.length - shares.length) });
  if (shares.length === 0) return;
  const before = new Map(shares.map((share) => [share.id, share.expiresAt]));
  const undo: Change = {
    toTime: ({ id }) => before.get(id) ?? null,
    tellDone: () => {},
    describeFailure: texts.notRestored,
  };
  const tellDone = (changed: readonly Share[]) => {
    const time = expiresAt === null ? undefined : formatTime(expiresAt);
    const [first] = changed;
    toast({
      text:
        changed.length === 1 && first
          ? texts.extended(getShareName(first), time)
          : texts.extendedSome(formatNumber(changed.length), time),
      action: { label: componentTexts.undo, run: () => change(changed, undo) },
    });
  };
  await change(shares, { toTime: () => expiresAt, tellDone, describeFailure: texts.notExtended });
};
