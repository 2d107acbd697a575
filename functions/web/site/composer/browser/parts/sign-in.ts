/** Returns the path of the sign-in page that leads back to this page. */
export const getLoginPath = (): string => {
  const here = encodeURIComponent(location.pathname + location.search);
  return `/login?next=${here.replaceAll('%2F', '/')}`;
};
