const steps: (() => void)[] = [];

/** Repeats a step whenever the text of the page was exchanged for that of an edit. */
export const onExchange = (step: () => void): void => {
  steps.push(step);
};

/** Repeats the steps for the text that the page shows now. */
export const finishExchange = (): void => {
  for (const step of steps) step();
};
