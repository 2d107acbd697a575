import { requestOrSignIn } from './api.js';
import { formatDays, formatTime } from './format.js';
import { byId, runAction, setText } from './page.js';
import { checkinTexts as texts } from './texts.ts';

/** @param {{ checkedIn: boolean, totalPoints: number, streak: number, nextCheckinAt: string }} state */
const show = ({ checkedIn, totalPoints, streak, nextCheckinAt }) => {
  setText('points', String(totalPoints));
  setText('streak', formatDays(streak));
  setText('today', checkedIn ? texts.doneToday(formatTime(nextCheckinAt)) : texts.openToday);
  byId('check-in').hidden = checkedIn;
};

const load = async () => show(await requestOrSignIn('GET', '/api/checkin'));

/** Loads the check-in card and activates its button. */
export const startCheckin = () => {
  let isPending = false;
  byId('check-in').addEventListener('click', async () => {
    if (isPending) return;
    isPending = true;
    await runAction('checkin', async () => {
      try {
        const { points } = await requestOrSignIn('POST', '/api/checkin', {});
        return texts.earned(points);
      } finally {
        await load();
        byId('checkin-title').focus();
      }
    });
    isPending = false;
  });
  return load();
};
