import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import type { PagedList } from '../../../../browser/data/paged-list.ts';
import { doUndoably } from '../../../../browser/data/undoable.ts';
import { describeKeys } from '../../../../browser/shell/page-keys.ts';
import { mayAct } from '../../../../browser/shell/single-keys.ts';
import { guardWork } from '../../../../browser/shell/unsaved.ts';
import { moderationTexts as texts } from '../../texts.ts';
import { open as openById, url, view } from './state.ts';

export type Decision = 'take-down' | 'keep';

/** What the moderator writes to the owner of what is open. */
export const reason = signal('');

guardWork({
  getName: () => texts.reason,
  isChanged: () => reason.value.trim() !== '',
  discard: () => {
    reason.value = '';
  },
});

const isWriting = (): boolean => reason.peek().trim() !== '';

/** What was written for decisions that were undone or failed, until it is open again. */
const kept = new Map<string, string>();

/** Puts what was written for what is open back into its field. */
const restoreReason = (): void => {
  const { open } = view.value;
  const text = open === undefined ? undefined : kept.get(open);
  if (open === undefined || text === undefined || isWriting()) return;
  kept.delete(open);
  reason.value = text;
};
effect(restoreReason);

interface Choice {
  readonly decision: Decision;
  readonly reason: string;
}

interface DecisionOptions<Item, Open> {
  readonly list: Pick<PagedList<Item>, 'items' | 'total' | 'hasNext' | 'load'>;
  /** What is open, as it was shown. */
  readonly getOpen: () => Open | undefined;
  readonly getName: (open: Open) => string;
  /** Whether the list has only what waits for a decision. */
  readonly isWaiting: () => boolean;
  /** Sends a decision on the version that was shown. */
  readonly send: (
    open: Open,
    options: Choice & { readonly keepalive: boolean },
  ) => Promise<unknown>;
  /** Reads one again. */
  readonly reload: (id: string) => Promise<unknown>;
}

/** The decisions about what a list has. */
export interface Decisions<Item> {
  /** The decisions that can still be undone, by id. */
  readonly decided: ReadonlySignal<ReadonlyMap<string, Decision>>;
  /** What the list shows: what waits for a decision leaves it once one is made. */
  readonly shown: ReadonlySignal<readonly Item[] | undefined>;
  /** Decides on what is open, and opens the next one that waits. */
  decide(decision: Decision): void;
}

/** Creates the decisions about what a list has. */
export const createDecisions = <
  Item extends { readonly id: string },
  Open extends { readonly id: string; readonly status: string },
>(
  options: DecisionOptions<Item, Open>,
): Decisions<Item> => {
  const { list, getOpen, getName, isWaiting, send, reload } = options;
  const decided = signal<ReadonlyMap<string, Decision>>(new Map());

  const shown = computed(() =>
    list.items.value?.filter(({ id }) => !isWaiting() || !decided.value.has(id)),
  );

  const setDecided = (id: string, decision: Decision | undefined): void => {
    const next = new Map(decided.value);
    if (decision) next.set(id, decision);
    else next.delete(id);
    decided.value = next;
  };

  /** Opens what follows one in the list. */
  const openNext = (id: string): void => {
    const items = shown.value ?? [];
    const at = items.findIndex((one) => one.id === id);
    const next = items[at + 1] ?? items[at - 1];
    if (next) openById(next.id);
    else url.close({ open: undefined });
  };

  /** Shows what has been decided. */
  const showDone = async (id: string): Promise<void> => {
    if (!isWaiting()) {
      await Promise.all([view.value.open === id && reload(id), list.load(1)]);
      return;
    }
    const before = list.items.value ?? [];
    list.items.value = before.filter((one) => one.id !== id);
    const left = list.items.value.length;
    if (list.total.value !== undefined) list.total.value -= before.length - left;
    if (list.hasNext.value && left < 5) await list.load(1);
  };

  /** Shows one again as it is, with what was written to its owner, because it changed after it was shown. */
  const showChanged = async (id: string, text: string): Promise<void> => {
    openById(id);
    if (view.value.open === id) reason.value = text;
    await reload(id);
    toast({ text: texts.changed, kind: 'bad' });
  };

  /** Decides on one as it was shown, which can be undone: what was reported since is not settled unseen. */
  const decideOn = (open: Open, choice: Choice): void => {
    const { id } = open;
    const { decision, reason: text } = choice;
    let isSent = false;
    const say = decision === 'keep' ? texts.kept : texts.takenDown;
    doUndoably({
      text: say(getName(open)),
      commit: async ({ keepalive }) => {
        isSent = true;
        setDecided(id, decision);
        try {
          await send(open, { ...choice, keepalive });
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
        // Undone, it is what its user is at; a failure comes later, and must not take another one away.
        if (!isSent && !isWriting()) openById(id);
        restoreReason();
      },
      describeFailure: ({ message }) => texts.notDecided(getName(open), message),
    });
  };

  const decide = (decision: Decision): void => {
    const open = getOpen();
    if (!open || decided.value.has(open.id)) return;
    if (decision === 'take-down' && open.status === 'taken-down') return;
    const choice = { decision, reason: reason.value };
    reason.value = '';
    if (isWaiting()) openNext(open.id);
    setDecided(open.id, decision);
    decideOn(open, choice);
  };

  return { decided, shown, decide };
};

const keys: Readonly<Record<string, Decision>> = { 1: 'take-down', 2: 'keep' };

/** Lets `1` and `2` decide on what is open. */
export const startDecisionKeys = (decide: (decision: Decision) => void): void => {
  describeKeys([
    [texts.takeDown, ['1']],
    [texts.keep, ['2']],
  ]);
  addEventListener('keydown', (event) => {
    const { key, repeat } = event;
    const decision = keys[key];
    // A key that is still held must not decide on what opens next.
    if (!decision || repeat || !mayAct(event, { isOfDrawer: true })) return;
    event.preventDefault();
    decide(decision);
  });
};
