import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { ApiError } from '../client/api-error.ts';
import { toast } from '../components/toast.tsx';
import { api } from './api.ts';
import { showFailure } from './feedback.ts';
import { signedIn } from './session.ts';
import { shellTexts } from './texts.ts';

const texts = shellTexts.checkin;

interface CheckinState {
  readonly checkedIn: boolean;
  readonly streak: number;
  readonly totalPoints: number;
}

const current = signal<CheckinState>(
  signedIn?.checkin ?? { checkedIn: false, streak: 0, totalPoints: 0 },
);
const isChecking = signal(false);

/** The user’s check-in as of today. Pages react to its changes. */
export const checkin: ReadonlySignal<CheckinState> = current;

/** Whether a check-in is being sent. */
export const isCheckingIn: ReadonlySignal<boolean> = isChecking;

/** Checks in for today, and says what that earned. */
export const checkIn = async (): Promise<void> => {
  if (isChecking.value) return;
  isChecking.value = true;
  try {
    const { points, totalPoints, streak } = await api.call('POST /api/checkin');
    current.value = { checkedIn: true, streak, totalPoints };
    toast({ text: texts.earned(points) });
  } catch (failure) {
    // Checked in elsewhere in the meantime.
    if (failure instanceof ApiError && failure.status === 409) {
      const { streak, totalPoints } = failure.body as CheckinState;
      current.value = { checkedIn: true, streak, totalPoints };
      toast({ text: texts.already });
    } else showFailure((failure as Error).message, checkIn);
  } finally {
    isChecking.value = false;
  }
};

/** Starts the button of the daily check-in. */
export const startCheckin = (): void => {
  const [button, streak] = ['check-in', 'streak'].map((id) => document.getElementById(id));
  if (!(button instanceof HTMLButtonElement) || !streak) return;
  effect(() => {
    if (isChecking.value) button.setAttribute('aria-busy', 'true');
    else button.removeAttribute('aria-busy');
  });
  effect(() => {
    if (!checkin.value.checkedIn) return;
    streak.textContent = texts.days(checkin.value.streak);
    button.textContent = texts.done;
    button.disabled = true;
  });
  button.addEventListener('click', checkIn);
};
