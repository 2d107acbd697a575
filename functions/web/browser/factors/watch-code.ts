const length = 6;

/**
 * Watches the field of a six-digit code, whose cells are the elements before it: keeps the digits of what is typed or pasted,
 * and marks the cell of the next one. Calls `onComplete` when a change leaves six digits.
 */
export const watchCode = (input: HTMLInputElement, onComplete: () => void): void => {
  const draw = (): void => {
    const digits = input.value.replace(/\D/g, '').slice(0, length);
    if (input.value !== digits) input.value = digits;
    const isActive = document.activeElement === input;
    for (const [at, cell] of [...(input.parentElement?.children ?? [])].entries()) {
      cell.classList.toggle('at', isActive && at === Math.min(digits.length, length - 1));
    }
  };
  // Longer texts may be pasted, of which the digits are left.
  input.maxLength = 40;
  input.addEventListener('input', () => {
    draw();
    if (input.value.length === length) onComplete();
  });
  for (const type of ['focus', 'blur']) input.addEventListener(type, draw);
  draw();
};
