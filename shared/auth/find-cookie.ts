/** Finds the value of a cookie by its name among the cookies of a request. */
export const findCookie = (name: string, cookies: readonly string[] = []): string | undefined => {
  const start = `${name}=`;
  return cookies
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(start))
    ?.slice(start.length);
};
