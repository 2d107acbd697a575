/** Where a typed address waits for the next sign-in page of the tab. Not in its URL, which histories and logs keep. */
const key = 'email';

/** Runs without effect where the browser refuses storage. */
const attempt = <Value>(run: () => Value): Value | undefined => {
  try {
    return run();
  } catch {
    return undefined;
  }
};

const takeEmail = (): string => {
  const kept = attempt(() => sessionStorage.getItem(key)) ?? '';
  attempt(() => sessionStorage.removeItem(key));
  return kept;
};

/**
 * Carries the address of a form along its links to the other sign-in pages. A form that gets one begins with the focus in its
 * next field.
 */
export const carryEmail = (): void => {
  const field = document.querySelector<HTMLInputElement>('form .in[type="email"]');
  if (!field?.form) return;
  const carried = takeEmail();
  if (carried !== '' && field.value === '') {
    field.value = carried;
    const password = field.form.elements.namedItem('password');
    if (password instanceof HTMLInputElement) password.focus();
  }
  document.getElementById('page')?.addEventListener('click', ({ target }) => {
    if (!(target as Element).closest('a:not([data-someone-else])')) return;
    attempt(() => sessionStorage.setItem(key, field.value));
  });
};
