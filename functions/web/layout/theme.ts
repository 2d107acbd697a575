import { findCookie } from '../../../shared/auth/find-cookie.ts';

/** The colors that a user chose; absent where the system decides. */
export type Theme = 'light' | 'dark';

/** The cookie in which the browser keeps them. */
export const themeCookieName = 'theme';

/** Reads the colors from the cookies. */
export const readTheme = (cookies: readonly string[]): Theme | undefined => {
  const value = findCookie(themeCookieName, cookies);
  return value === 'light' || value === 'dark' ? value : undefined;
};
