import { randomInt, randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { type Item, itemParser } from '../../../shared/db/item-parser.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { type Day, nextDayStart, subtractDays, toDay } from './calendar-day.ts';
import { checkinKeys } from './keys.ts';

const minAward = 20;
const maxAward = 50;
const historyDays = 30;
const maxAttempts = 5;

interface Award {
  readonly day: Day;
  readonly points: number;
}

/** A user's check-ins as stored. */
interface StoredCheckin {
  readonly total: number;
  readonly streak: number;
  readonly lastDay: Day;
  /** Newest first. */
  readonly history: readonly Award[];
  /** Identifies the last write, so that a retry after a lost response recognizes it. */
  readonly writeId: string;
}

const parseCheckin = itemParser<StoredCheckin>('check-in', [
  'total',
  'streak',
  'lastDay',
  'writeId',
]);

/** The result of a check-in. */
export interface Checkin {
  readonly points: number;
  readonly totalPoints: number;
  readonly streak: number;
}

/** A user's check-in state today. */
export interface CheckinState {
  readonly checkedIn: boolean;
  readonly totalPoints: number;
  readonly streak: number;
  readonly nextCheckinAt: string;
  readonly history: Award[];
}

const readItem = async (userId: number): Promise<Item | undefined> => {
  const { Item } = await documentClient().send(
    new GetCommand({
      TableName: tableName(),
      Key: checkinKeys.record.at({ userId }),
      ConsistentRead: true,
    }),
  );
  return Item;
};

const keepRecent = (history: readonly Award[], today: Day): Award[] =>
  history.filter(({ day }) => day > subtractDays(today, historyDays));

/** Returns the streak on a day. It ends when a day is skipped. */
const getStreak = (day: Day, stored: StoredCheckin | undefined): number =>
  stored && (stored.lastDay === day || stored.lastDay === subtractDays(day, 1)) ? stored.streak : 0;

const alreadyCheckedInError = (stored: StoredCheckin, next: string) => {
  const message = `Already checked in today. Next check-in: ${next}.`;
  const { total: totalPoints, streak } = stored;
  return new AppError('CONFLICT', message, {
    extra: { points: 0, totalPoints, streak, message },
  });
};

/**
 * Checks a user in for today, which is a day in CHECKIN_TIMEZONE. Awards 20 to 50 points and continues the streak in one
 * conditional write (decisions.md#check-in).
 * @throws AppError CONFLICT if the user has already checked in today
 */
export const checkIn = async (userId: number): Promise<Checkin> => {
  const zone = getSetting('CHECKIN_TIMEZONE');
  const now = Date.now();
  const today = toDay(now, zone);
  const next = new Date(nextDayStart(now, zone)).toISOString();
  const points = randomInt(minAward, maxAward + 1);
  const writeId = randomUUID();
  let stored = parseCheckin(await readItem(userId));
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (stored && stored.lastDay >= today) throw alreadyCheckedInError(stored, next);
    const total = (stored?.total ?? 0) + points;
    const streak = getStreak(today, stored) + 1;
    const history = keepRecent([{ day: today, points }, ...(stored?.history ?? [])], today);
    const { written, item } = await conditionalUpdate({
      Key: checkinKeys.record.at({ userId }),
      UpdateExpression:
        'SET #total = :total, streak = :streak, lastDay = :today, #history = :history, writeId = :writeId',
      ConditionExpression: stored ? 'lastDay = :expectedDay' : 'attribute_not_exists(pk)',
      ExpressionAttributeNames: { '#total': 'total', '#history': 'history' },
      ExpressionAttributeValues: {
        ':total': total,
        ':streak': streak,
        ':today': today,
        ':history': history,
        ':writeId': writeId,
        ...(stored && { ':expectedDay': stored.lastDay }),
      },
    });
    stored = parseCheckin(item);
    if (written || stored?.writeId === writeId) return { points, totalPoints: total, streak };
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The service is busy. Try again.');
};

/** Returns the check-in state today of a user with this item, with the awards of the last 30 days. */
export const toState = (item: Item | undefined): CheckinState => {
  const zone = getSetting('CHECKIN_TIMEZONE');
  const now = Date.now();
  const today = toDay(now, zone);
  const stored = parseCheckin(item);
  const checkedIn = stored?.lastDay === today;
  return {
    checkedIn,
    totalPoints: stored?.total ?? 0,
    streak: getStreak(today, stored),
    nextCheckinAt: new Date(checkedIn ? nextDayStart(now, zone) : now).toISOString(),
    history: keepRecent(stored?.history ?? [], today),
  };
};

/** Returns a user's check-in state today, with the awards of the last 30 days. */
export const getState = async (userId: number): Promise<CheckinState> =>
  toState(await readItem(userId));
