import * as z from 'zod';
import { route } from '../../shared/route.ts';
import * as checkins from './checkin.ts';

const Checkin = z
  .object({
    success: z.literal(true),
    points: z.int(),
    totalPoints: z.int(),
    streak: z.int(),
    message: z.string(),
  })
  .meta({ id: 'Checkin' });

const CheckinState = z
  .object({
    checkedIn: z.boolean(),
    totalPoints: z.int(),
    streak: z.int(),
    nextCheckinAt: z.iso.datetime(),
    history: z.array(z.object({ day: z.iso.date(), points: z.int() })),
  })
  .meta({ id: 'CheckinState' });

export const routes = [
  route({
    endpoint: 'POST /api/checkin',
    access: 'signed-in',
    summary: 'Check in for today and earn points',
    output: Checkin,
    handle: async ({ actor }) => {
      const checkin = await checkins.checkIn(actor.user.id);
      const { points, totalPoints, streak } = checkin;
      const days = streak === 1 ? '1 day' : `${streak} days`;
      const message = `You earned ${points} points: ${totalPoints} in total, a streak of ${days}`;
      return { success: true as const, ...checkin, message };
    },
  }),
  route({
    endpoint: 'GET /api/checkin',
    access: 'signed-in',
    summary: "Today's state and the last 30 days of check-ins",
    output: CheckinState,
    handle: ({ actor }) => checkins.state(actor.user.id),
  }),
];
