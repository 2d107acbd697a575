/** Offers something at the bottom until it is taken. Returns the message. */
export const offer = (message: string, label: string, act: () => unknown): HTMLElement => {
  const toast = document.createElement('p');
  toast.className = 'toast';
  toast.textContent = message;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', () => {
    toast.remove();
    act();
  });
  toast.append(button);
  document.querySelector('.toasts')?.append(toast);
  return toast;
};
