const system = matchMedia('(prefers-color-scheme: dark)');

/** Whether the page has dark colors: the user chose them, or the system has them and the user chose none. */
export const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : system.matches;
};

/** Calls a function when the colors of the page may have changed. Returns what ends it. */
export const onColorsChange = (run: () => void): (() => void) => {
  system.addEventListener('change', run);
  const choices = new MutationObserver(run);
  choices.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', run);
    choices.disconnect();
  };
};
