/** The colors that a user chose; absent where the system decides. */
export type Theme = 'light' | 'dark';

/** The cookie in which the browser keeps them. */
export const themeCookieName = 'theme';

/** Reads the colors from the cookies. */
export const readTheme = (cookies: readonly string[]): Theme | undefined => {
  const prefix = `${themeCookieName}=`;
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return value === 'light' || value === 'dark' ? value : undefined;
};
