import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../client/api-error.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { componentTexts as texts } from './texts.ts';

interface NoticeProps {
  readonly kind?: 'bad' | 'warn';
  /** A button at its end. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A message that stays in its place on the page. Failures are announced. */
export const Notice = ({ kind, action, children }: NoticeProps) => (
  <div class={`note ${kind ?? ''}`} {...(kind === 'bad' && { role: 'alert' })}>
    <Icon name={kind === undefined ? 'info' : 'alert'} />
    <span class="grow">{children}</span>
    {action}
  </div>
);

/** Counts the seconds until a time down to zero. */
const useCountdown = (waitMs: number, start: unknown): number => {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const end = Date.now() + waitMs;
    const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000)));
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [waitMs, start]);
  return left;
};

interface FailureProps {
  readonly error: Error;
  /** Tries again. */
  readonly again: () => unknown;
}

/** Says why something could not be loaded, and lets the user try again, after what `Retry-After` asks for. */
export const Failure = ({ error, again }: FailureProps) => {
  const { retryAfterMs: waitMs = 0 }: Partial<ApiError> = error;
  const left = useCountdown(waitMs, error);
  const [isBusy, setBusy] = useState(false);
  const onClick = async () => {
    setBusy(true);
    await again();
    setBusy(false);
  };
  const button = (
    <Button size="sm" onClick={onClick} isBusy={isBusy} disabled={left > 0}>
      {left > 0 ? texts.tryAgainIn(left) : texts.tryAgain}
    </Button>
  );
  return (
    <Notice kind="bad" action={button}>
      {error.message}
    </Notice>
  );
};
