import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { partitionQuery, queryMatches } from '../../../shared/db/query.ts';
import { notify } from '../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { spendingKeys } from '../../../shared/spending/keys.ts';
import { getMonth, noticePercents, writeMonth } from '../../../shared/spending/month.ts';
import {
  parseMonth,
  type Spending,
  type StoredMonth,
  toSpending,
} from '../../../shared/spending/spending.ts';
import { accountKeys } from '../../api/users/record/keys.ts';

/** The maximum number of administrators who are told. */
const maxTold = 100;

/** Finds the active super_admins, who may see the settings and lift the limit. */
const findAdministrators = async (): Promise<number[]> => {
  const { items } = await queryMatches(
    partitionQuery(
      accountKeys.byRoleAndStatus.partition({ role: 'super_admin', status: 'active' }),
      false,
    ),
    { matches: maxTold, scanned: maxTold },
  );
  return items.map(({ id }) => id as number);
};

/** Tells administrators once of each percentage that was passed, the highest if several were. */
const tell = async (spending: Spending, stored: StoredMonth): Promise<void> => {
  const passed = noticePercents.findLast((percent) => spending.percent >= percent);
  if (passed === undefined || passed <= (stored.told ?? 0)) return;
  const { month } = spending;
  await notify(
    await findAdministrators(),
    notificationTemplates.spendingPassed(spending, passed),
    `spending#${month}#${passed}`,
  );
  await writeMonth(month, { told: passed });
};

const brakeKey = spendingKeys.brake.at();

const brake = async (isWanted: boolean, isOn: boolean): Promise<void> => {
  if (!isWanted && !isOn) return;
  // Loaded on first use: the client is as large as the rest of the function.
  const { restoreGateway, slowDownGateway } = await import('./gateway.ts');
  const TableName = tableName();
  if (isWanted) {
    // Noted before, so that a run that fails in between is not forgotten.
    if (!isOn) {
      const Item = { ...brakeKey, since: new Date().toISOString() };
      await documentClient().send(new PutCommand({ TableName, Item }));
    }
    await slowDownGateway();
  } else if (await restoreGateway()) {
    await documentClient().send(new DeleteCommand({ TableName, Key: brakeKey }));
  }
};

/**
 * Compares what this month has cost with the limit, each minute: tells administrators, slows public routes down at the limit
 * and restores them after the month, a lift, or a deployment without a limit (decisions.md#spending-limit).
 */
export const keepSpendingLimit = async (): Promise<void> => {
  const month = getMonth();
  const [item, isOn] = await batchGet([spendingKeys.month.at({ month }), brakeKey], {
    isEventual: true,
  });
  const stored = parseMonth(item);
  const spending = toSpending(month, stored);
  if (spending?.isSlowed && stored.reachedAt === undefined) {
    await writeMonth(month, { reachedAt: new Date().toISOString() });
  }
  await brake(spending?.isSlowed ?? false, isOn !== undefined);
  if (spending) await tell(spending, stored);
};
