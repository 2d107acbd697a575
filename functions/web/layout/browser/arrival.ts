// The browser came from another site, so it sent no session cookie. Requests of this script carry it.
const { ok } = await fetch('/api/auth/me', { credentials: 'same-origin' }).catch(() => ({
  ok: false,
}));
const here = location.pathname + location.search;
if (ok) location.replace(here);
else if (document.documentElement.dataset['requires'] === 'session') {
  location.replace(`/login?next=${encodeURIComponent(here)}`);
}

export {};
