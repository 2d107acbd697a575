// The browser came from another site, so it sent no session cookie. Requests of this script carry it.
const here = location.pathname + location.search;
fetch('/api/auth/me', { credentials: 'same-origin' })
  .then(
    ({ ok }) => ok,
    () => false,
  )
  .then((isSignedIn) => {
    if (isSignedIn) location.replace(here);
    else if (document.documentElement.dataset['requires'] === 'session') {
      location.replace(`/login?next=${encodeURIComponent(here)}`);
    }
  });

export {};
