// The form for a code of six digits: it marks the cell that is next, and submits with the last digit.
const input = document.querySelector<HTMLInputElement>('.code6 > input');
const wait = document.querySelector<HTMLElement>('[data-wait]');

/** Leaves the digits, and marks the cell of the next one. */
const draw = (field: HTMLInputElement): void => {
  const digits = field.value.replace(/\D/g, '').slice(0, 6);
  if (field.value !== digits) field.value = digits;
  const isActive = document.activeElement === field;
  for (const [at, cell] of [...(field.parentElement?.children ?? [])].entries()) {
    cell.classList.toggle('at', isActive && at === Math.min(digits.length, 5));
  }
};

if (input) {
  // Longer texts may be pasted, of which the digits are left.
  input.maxLength = 40;
  let isSent = false;
  input.addEventListener('input', () => {
    draw(input);
    if (input.value.length < 6 || isSent) return;
    isSent = true;
    input.form?.requestSubmit();
  });
  for (const type of ['focus', 'blur']) input.addEventListener(type, () => draw(input));
  draw(input);
  // A page that the browser kept is shown again.
  addEventListener('pageshow', () => {
    isSent = false;
  });
}

if (wait) {
  const end = performance.now() + Number(wait.dataset['wait']) * 1_000;
  const timer = setInterval(() => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
    wait.textContent = `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    if (seconds > 0) return;
    clearInterval(timer);
    wait.remove();
  }, 1_000);
}

export {};
