/** The colors that a user chose; absent where the system decides. */
export type Theme = 'light' | 'dark';

/** Reads the `theme` cookie. */
export const readTheme = (cookies: readonly string[]): Theme | undefined => {
  const value = cookies.find((cookie) => cookie.startsWith('theme='))?.slice('theme='.length);
  return value === 'light' || value === 'dark' ? value : undefined;
};
