import { effect, signal } from '@preact/signals';
import type { MissingReference } from '../../../../../../../shared/share-files/missing.ts';
import { revision } from '../content.ts';
import { isSealed } from '../sealing/sealed.ts';
import { fileSet } from './set.ts';
import { listWorkFiles } from './work/work-files.ts';
import { runTask } from './work/worker.ts';

/** References to files that aren’t among those of the share. */
export const missing = signal<readonly MissingReference[]>([]);

/** The pause after which references are checked. ms. */
const pauseMs = 300;

let timer: ReturnType<typeof setTimeout> | undefined;
let latest = 0;

const check = async (): Promise<void> => {
  latest += 1;
  const mine = latest;
  const files = listWorkFiles();
  const found = await runTask({ task: 'check', files }).catch(() => undefined);
  if (mine === latest && found && !isSealed.value) missing.value = found;
};

/** Starts to look for missing files whenever files or their texts change. */
export const startChecking = (): void => {
  effect(() => {
    revision.value;
    clearTimeout(timer);
    // The page of a sealed share can't refer to its files.
    if (fileSet.value && !isSealed.value) timer = setTimeout(check, pauseMs);
    else missing.value = [];
  });
};

/** The number of files that are missing. */
export const countMissing = (): number => new Set(missing.value.map(({ path }) => path)).size;
