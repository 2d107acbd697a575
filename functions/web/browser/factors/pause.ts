import { secondStepTexts as texts } from './second-step-texts.ts';

/** Turns a button off for a time, in ms, which its label counts down. */
export const startPause = (button: HTMLElement, ms: number, onEnd: () => void): void => {
  const label = button.textContent;
  const end = performance.now() + ms;
  button.setAttribute('aria-disabled', 'true');
  const draw = (): void => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    button.textContent = texts.confirmIn(time);
    if (seconds > 0) return;
    clearInterval(timer);
    button.textContent = label;
    button.removeAttribute('aria-disabled');
    onEnd();
  };
  const timer = setInterval(draw, 1_000);
  draw();
};
