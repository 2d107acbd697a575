const read = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

const write = (name: string, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
};

/** Whether single keys such as `c` and `?` do something. */
export const singleKeys = {
  read: (): boolean => read('single-keys') !== 'off',
  write: (isOn: boolean): void => write('single-keys', isOn ? undefined : 'off'),
};

/** Whether long lines of code are wrapped. */
export const wrapsLines = {
  read: (): boolean => read('wrap-lines') === 'on',
  write: (isOn: boolean): void => write('wrap-lines', isOn ? 'on' : undefined),
};

const yearSeconds = 365 * 24 * 60 * 60;

const setCookie = (name: string, value: string | undefined): void => {
  const age = value === undefined ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
  document.cookie = `${name}=${value ?? ''}; path=/; max-age=${age}; samesite=lax`;
};

/** The colors of all pages; `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme. The server reads its cookie, so pages have it at first paint. */
export const theme = {
  read: (): Theme => (document.documentElement.dataset['theme'] as Theme | undefined) ?? 'system',
  write: (chosen: Theme): void => {
    setCookie('theme', chosen === 'system' ? undefined : chosen);
    if (chosen === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  },
};

/** The id of the user who has hidden the first steps of the dashboard. */
export const hiddenFirstSteps = {
  read: (): number | undefined => Number(read('first-steps')) || undefined,
  write: (userId: number): void => write('first-steps', String(userId)),
};

/** The language of dates and numbers; `undefined` is that of the browser. */
export const dateLanguage = {
  read: (): string | undefined => read('date-language') ?? undefined,
  write: (chosen: string | undefined): void => write('date-language', chosen),
};
