// The form for a code of six digits: it marks the cell that is next, and submits with the last digit.
import { watchCode } from '../../browser/factors/watch-code.ts';
import './keep-key.ts';

const input = document.querySelector<HTMLInputElement>('.code6 > input');
const wait = document.querySelector<HTMLElement>('[data-wait]');

if (input) {
  let isSent = false;
  watchCode(input, () => {
    if (isSent) return;
    isSent = true;
    input.form?.requestSubmit();
  });
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
