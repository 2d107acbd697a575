import { requestOrSignIn } from './api.js';
import { daysText, timeText } from './format.js';
import { byId, runAction, setText } from './page.js';
import { checkinTexts as texts } from './texts.ts';

/** @param {{ checkedIn: boolean, totalPoints: number, streak: number, nextCheckinAt: string }} state */
const show = ({ checkedIn, totalPoints, streak, nextCheckinAt }) => {
  setText('points', String(totalPoints));
  setText('streak', daysText(streak));
  setText('today', checkedIn ? texts.doneToday(timeText(nextCheckinAt)) : texts.openToday);
  byId('check-in').hidden = checkedIn;
};

const load = async () => show(await requestOrSignIn('GET', '/api/checkin'));

/** Fills the card of check-ins, and lets its button do what it says. */
export const startCheckin = () => {
  let isAsked = false;
  byId('check-in').addEventListener('click', async () => {
    if (isAsked) return;
    isAsked = true;
    await runAction('checkin', async () => {
      try {
        const { points } = await requestOrSignIn('POST', '/api/checkin', {});
        return texts.earned(points);
      } finally {
        await load();
        byId('checkin-title').focus();
      }
    });
    isAsked = false;
  });
  return load();
};
