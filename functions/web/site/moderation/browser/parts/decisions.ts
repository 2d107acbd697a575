import { signal } from '@preact/signals';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { describeKeys } from '../../../../browser/shell/page-keys.ts';
import { mayAct } from '../../../../browser/shell/single-keys.ts';
import { moderationTexts as texts } from '../../texts.ts';
import { type Detail, detail, list, loadDetail, url, view } from './state.ts';

export type Decision = 'take-down' | 'keep';

/** The decision that is being sent. */
export const pending = signal<Decision | undefined>(undefined);

/** Takes a share off the list of those that wait, and opens the next one if it is still the open one. */
const openNext = (id: string): void => {
  const items = list.items.value ?? [];
  const at = items.findIndex((share) => share.id === id);
  list.items.value = items.filter((share) => share.id !== id);
  if (list.total.value !== undefined && at !== -1) list.total.value -= 1;
  if (view.value.open === id) {
    const next = list.items.value[Math.max(at, 0)] ?? list.items.value.at(-1);
    if (next) url.change({ open: next.id });
    else url.close({ open: undefined });
  }
  if (list.hasNext.value && list.items.value.length < 5) void list.load(1);
};

/** Decides on a share as it was shown: what was reported since is not settled unseen. */
const send = async (share: Detail, decision: Decision): Promise<void> => {
  if (pending.value) return;
  const { id, version } = share;
  pending.value = decision;
  try {
    await api.call('PUT /api/shares/{id}/decision', {
      params: { id },
      body: { decision },
      ifMatch: version,
    });
    const say = decision === 'keep' ? texts.kept : texts.takenDown;
    toast({ text: say(getShareName(share)) });
    if (view.value.list === 'reported') openNext(id);
    else await Promise.all([loadDetail(id), list.load(1)]);
  } catch (error) {
    if (error instanceof ConflictError) {
      url.change({ open: id });
      await loadDetail(id);
      toast({ text: texts.changed, kind: 'bad' });
    } else {
      // By then another share may be open.
      showFailure((error as Error).message, () => send(share, decision));
    }
  }
  pending.value = undefined;
};

/** Decides on the open share. */
export const decide = async (decision: Decision): Promise<void> => {
  const share = detail.value?.data;
  if (!share || (decision === 'take-down' && share.status === 'taken-down')) return;
  await send(share, decision);
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
    void decide(decision);
  });
};
