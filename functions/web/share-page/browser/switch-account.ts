import './keep-key.ts';

const button = document.querySelector<HTMLElement>('[data-switches]');
const failure = document.querySelector<HTMLElement>('[data-failure]');

/** Signs out, and leads to the page that signs in. A session that has ended meanwhile is fine. */
const switchAccount = async (address: string): Promise<void> => {
  const response = await fetch('/api/auth/logout', { method: 'POST' }).catch(() => undefined);
  const isSignedOut = response?.ok || response?.status === 401;
  if (failure) failure.hidden = isSignedOut ?? false;
  if (isSignedOut) location.assign(address);
};

if (button) {
  button.hidden = false;
  button.addEventListener('click', () => switchAccount(button.dataset['switches'] ?? ''));
}
