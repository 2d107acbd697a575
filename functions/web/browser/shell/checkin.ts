import { ApiError } from '../client/api-error.ts';
import { toast } from '../components/toast.tsx';
import { api } from './api.ts';
import { showFailure } from './feedback.ts';
import { shellTexts } from './texts.ts';

const texts = shellTexts.checkin;

/** Starts the button of the daily check-in. */
export const startCheckin = (): void => {
  const [button, streak] = ['check-in', 'streak'].map((id) => document.getElementById(id));
  if (!(button instanceof HTMLButtonElement) || !streak) return;
  const show = (days: number) => {
    streak.textContent = texts.days(days);
    button.textContent = texts.done;
    button.disabled = true;
    // The account page shows it too.
    button.dispatchEvent(new Event('change'));
  };
  const checkIn = async (): Promise<void> => {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    try {
      const { points, streak: days } = await api.call('POST /api/checkin');
      show(days);
      toast({ text: texts.earned(points) });
    } catch (failure) {
      // Checked in elsewhere in the meantime.
      if (failure instanceof ApiError && failure.status === 409) {
        show((failure.body as { readonly streak: number }).streak);
        toast({ text: texts.already });
      } else showFailure((failure as Error).message, checkIn);
    } finally {
      button.removeAttribute('aria-busy');
    }
  };
  button.addEventListener('click', checkIn);
};
