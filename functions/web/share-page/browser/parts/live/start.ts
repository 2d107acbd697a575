/** When a page first asks whether its share was edited: who leaves before that loads nothing more. ms. */
const firstMs = 15_000;

/** Lets the page follow the edits of its share, by a part that is loaded later. `shown` says what to ask for. */
export const startFollowing = (shown: HTMLElement): void => {
  setTimeout(
    () =>
      import('./follow.ts').then(
        ({ followEdits }) => followEdits(shown),
        // The page stays as it is.
        () => {},
      ),
    firstMs,
  );
};
