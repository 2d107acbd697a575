import * as z from 'zod';
import { ErrorEnvelope, exampleError } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import * as checkins from './checkin.ts';

const Checkin = z
  .object({
    success: z.literal(true),
    points: z.int(),
    totalPoints: z.int(),
    streak: z.int(),
    message: z.string(),
  })
  .meta({
    id: 'Checkin',
    examples: [
      {
        success: true,
        points: 35,
        totalPoints: 70,
        streak: 2,
        message: 'You earned 35 points. Total: 70. Streak: 2 days.',
      },
    ],
  });

const AlreadyCheckedIn = ErrorEnvelope.extend({
  points: z.literal(0),
  totalPoints: z.int(),
  streak: z.int(),
  message: z.string(),
}).meta({
  id: 'AlreadyCheckedIn',
  examples: [
    {
      ...exampleError(
        'CONFLICT',
        'Already checked in today. Next check-in: 2026-11-22T00:00:00.000Z.',
      ),
      points: 0,
      totalPoints: 70,
      streak: 2,
      message: 'Already checked in today. Next check-in: 2026-11-22T00:00:00.000Z.',
    },
  ],
});

const CheckinState = z
  .object({
    checkedIn: z.boolean(),
    totalPoints: z.int(),
    streak: z.int(),
    nextCheckinAt: z.iso.datetime(),
    history: z.array(z.object({ day: z.iso.date(), points: z.int() })),
  })
  .meta({
    id: 'CheckinState',
    examples: [
      {
        checkedIn: true,
        totalPoints: 70,
        streak: 2,
        nextCheckinAt: '2026-11-22T00:00:00.000Z',
        history: [
          { day: '2026-11-21', points: 35 },
          { day: '2026-11-20', points: 35 },
        ],
      },
    ],
  });

export const routes = [
  route({
    endpoint: 'POST /api/checkin',
    access: 'signed-in',
    scope: 'checkin:create',
    summary: 'Check in for today',
    description: 'Earns points once per day (UTC) and extends your streak.',
    output: Checkin,
    errors: { CONFLICT: { when: 'You have already checked in today.', body: AlreadyCheckedIn } },
    // The item has its own history, and only the caller's points change.
    auditAction: 'none',
    handle: async ({ actor }) => {
      const checkin = await checkins.checkIn(actor.user.id);
      const { points, totalPoints, streak } = checkin;
      const days = streak === 1 ? '1 day' : `${streak} days`;
      const message = `You earned ${points} points. Total: ${totalPoints}. Streak: ${days}.`;
      return { success: true as const, ...checkin, message };
    },
  }),
  route({
    endpoint: 'GET /api/checkin',
    access: 'signed-in',
    scope: 'checkin:create',
    summary: 'Get your check-in state',
    description: 'Returns today’s state and the check-ins of the last 30 days.',
    output: CheckinState,
    handle: ({ actor }) => checkins.getState(actor.user.id),
  }),
];
