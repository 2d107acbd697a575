/** Finds the button that copies the source; its data say where the source is. */
const findButton = () => document.querySelector<HTMLElement>('[data-copies-source]');
const inline = document.querySelector('[data-source]')?.textContent;

let loaded: Promise<string> | undefined = inline
  ? Promise.resolve(JSON.parse(inline) as string)
  : undefined;

const fetchSource = async (): Promise<string> => {
  const response = await fetch(findButton()?.dataset['copiesSource'] ?? '');
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
};

/** Returns the source of the share: from the page if it includes it, or else loaded once. */
export const loadSource = (): Promise<string> => {
  loaded ??= fetchSource();
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
};

/** Gives a source that no request returns. */
export const provideSource = (text: string): void => {
  loaded = Promise.resolve(text);
};

/** Forgets a source that was loaded before the text changed. */
export const forgetSource = (): void => {
  loaded = undefined;
};

/** Saves what the view token gives access to: it expires after a minute, but readers may copy or download later. */
export const keepSource = async (): Promise<void> => {
  const button = findButton();
  if (!button || !(inline || 'fetchesNow' in button.dataset)) return;
  const link = document.querySelector<HTMLAnchorElement>('[data-name]');
  const text = await loadSource().catch(() => undefined);
  if (!link || text === undefined) return;
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = link.dataset['name'] ?? '';
};
