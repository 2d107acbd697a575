import { computed, effect, signal } from '@preact/signals';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { doUndoably } from '../../../../browser/data/undoable.ts';
import { api } from '../../../../browser/shell/api.ts';
import { describeKeys } from '../../../../browser/shell/page-keys.ts';
import { mayAct } from '../../../../browser/shell/single-keys.ts';
import { guardWork } from '../../../../browser/shell/unsaved.ts';
import { moderationTexts as texts } from '../../texts.ts';
import { type Detail, detail, list, loadDetail, type Share, url, view } from './state.ts';

export type Decision = 'take-down' | 'keep';

/** The decisions that can still be undone, by share. */
export const decided = signal<ReadonlyMap<string, Decision>>(new Map());

/** The shares that the list shows: those that wait for a decision leave it once one is made. */
export const shown = computed(() => {
  const isLeft = ({ id }: Share) => view.value.list !== 'reported' || !decided.value.has(id);
  return list.items.value?.filter(isLeft);
});

/** What the moderator writes to the owner of the open share. */
export const reason = signal('');

guardWork({
  getName: () => texts.reason,
  isChanged: () => reason.value.trim() !== '',
  discard: () => {
    reason.value = '';
  },
});

const isWriting = (): boolean => reason.peek().trim() !== '';

/** What was written for decisions that were undone or failed, by share, until it is open again. */
const kept = new Map<string, string>();

/** Puts what was written for the open share back into its field. */
const restoreReason = (): void => {
  const { open } = view.value;
  const text = open === undefined ? undefined : kept.get(open);
  if (open === undefined || text === undefined || isWriting()) return;
  kept.delete(open);
  reason.value = text;
};
effect(restoreReason);

const setDecided = (id: string, decision: Decision | undefined): void => {
  const next = new Map(decided.value);
  if (decision) next.set(id, decision);
  else next.delete(id);
  decided.value = next;
};

/** Opens the share that follows one in the list. */
const openNext = (id: string): void => {
  const items = shown.value ?? [];
  const at = items.findIndex((share) => share.id === id);
  const next = items[at + 1] ?? items[at - 1];
  if (next) url.change({ open: next.id });
  else url.close({ open: undefined });
};

/** Shows what has been decided. */
const showDone = async (id: string): Promise<void> => {
  if (view.value.list !== 'reported') {
    await Promise.all([view.value.open === id && loadDetail(id), list.load(1)]);
    return;
  }
  const before = list.items.value ?? [];
  list.items.value = before.filter((share) => share.id !== id);
  const left = list.items.value.length;
  if (list.total.value !== undefined) list.total.value -= before.length - left;
  if (list.hasNext.value && left < 5) await list.load(1);
};

interface Choice {
  readonly decision: Decision;
  readonly reason: string;
}

/** Shows a share again as it is, with what was written to its owner, because it changed after it was shown. */
const showChanged = async (id: string, text: string): Promise<void> => {
  url.change({ open: id });
  if (view.value.open === id) reason.value = text;
  await loadDetail(id);
  toast({ text: texts.changed, kind: 'bad' });
};

/** Decides on a share as it was shown, which can be undone: what was reported since is not settled unseen. */
const decideOn = (share: Detail, { decision, reason: text }: Choice): void => {
  const { id, version } = share;
  let isSent = false;
  const say = decision === 'keep' ? texts.kept : texts.takenDown;
  doUndoably({
    text: say(getShareName(share)),
    commit: async ({ keepalive }) => {
      isSent = true;
      setDecided(id, decision);
      try {
        await api.call('PUT /api/shares/{id}/decision', {
          params: { id },
          body: { decision, reason: text },
          ifMatch: version,
          keepalive,
        });
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        setDecided(id, undefined);
        return showChanged(id, text);
      }
      await showDone(id);
      setDecided(id, undefined);
    },
    putBack: () => {
      setDecided(id, undefined);
      kept.set(id, text);
      // Undone, it is what its user is at; a failure comes later, and must not take another share away.
      if (!isSent && !isWriting()) url.change({ open: id });
      restoreReason();
    },
    describeFailure: ({ message }) => texts.notDecided(getShareName(share), message),
  });
};

/** Decides on the open share, and opens the next one that waits. */
export const decide = (decision: Decision): void => {
  const share = detail.value?.data;
  if (!share || decided.value.has(share.id)) return;
  if (decision === 'take-down' && share.status === 'taken-down') return;
  const choice = { decision, reason: reason.value };
  reason.value = '';
  if (view.value.list === 'reported') openNext(share.id);
  setDecided(share.id, decision);
  decideOn(share, choice);
};

const keys: Readonly<Record<string, Decision>> = { 1: 'take-down', 2: 'keep' };

/** Lets `1` and `2` decide on the open share. */
export const startDecisionKeys = (): void => {
  describeKeys([
    [texts.takeDown, ['1']],
    [texts.keep, ['2']],
  ]);
  addEventListener('keydown', (event) => {
    const { key, repeat } = event;
    const decision = keys[key];
    // A key that is still held must not decide on the share that opens next.
    if (!decision || repeat || !mayAct(event, { isOfDrawer: true })) return;
    event.preventDefault();
    decide(decision);
  });
};
