import { signal } from '@preact/signals';

/** Something written on a page that isn’t sent yet. */
export interface UnsavedWork {
  /** What a question calls it. */
  getName(): string;
  /** Whether it differs from what is stored. While it does, single keys do nothing. */
  isChanged(): boolean;
  /** Whether it is lost once the page or its form is left; by default, whenever it has changed. A kept draft isn’t. */
  isLost?(): boolean;
  /** Takes the changes back, once the user has agreed to lose them. */
  discard(): void;
}

/** How many changes were sent since the browser was offline. Here, because scripts that load late have modules of their own. */
export const sentChanges = signal(0);

const all = new Set<UnsavedWork>();

/** Asks before this is lost, whichever way it is left. Returns how to stop that. */
export const guardWork = (work: UnsavedWork): (() => void) => {
  all.add(work);
  return () => void all.delete(work);
};

/** Returns whether something on the page isn’t sent yet. */
export const hasChanges = (): boolean => [...all].some((work) => work.isChanged());

/** Finds what leaving would lose. */
export const findLost = (): readonly UnsavedWork[] =>
  [...all].filter((work) => (work.isLost ? work.isLost() : work.isChanged()));

/** Asks whether changes to what has these names may be lost. */
type Ask = (names: readonly string[]) => Promise<boolean>;

let ask: Ask = async () => false;

/** Sets how users are asked. The shell does, once for all pages. */
export const setQuestion = (next: Ask): void => {
  ask = next;
};

let isAsking = false;

const askAndLeave = async (lost: readonly UnsavedWork[], go: () => unknown): Promise<void> => {
  if (isAsking) return;
  isAsking = true;
  try {
    if (!(await ask(lost.map((work) => work.getName())))) return;
  } finally {
    isAsking = false;
  }
  for (const work of lost) work.discard();
  go();
};

/** Leaves what is shown without a question, because what it was of is gone. */
export const leaveGone = (go: () => unknown): void => {
  for (const work of findLost()) work.discard();
  go();
};

/** Leaves what is shown: at once, or if that loses something, once the user agrees. Returns whether it was at once. */
export const leave = (go: () => unknown): boolean => {
  const lost = findLost();
  if (lost.length > 0) void askAndLeave(lost, go);
  else go();
  return lost.length === 0;
};
