import { putIf } from '../../shared/conditional-write.ts';
import { keys } from '../../shared/table.ts';
import { find } from './reading.ts';

/** As long as notifications are kept (decisions §5). */
const keptMs = 90 * 86_400_000;

/**
 * Notes for those who decide about shares that one waits for them. One note for all the reports that wait for the same
 * decision, however often this is asked for.
 */
export const notifyModerators = async (shareId: string): Promise<void> => {
  const { share } = await find(shareId);
  // Decided about already.
  if (share.reportedAt === undefined) return;
  const { reportedAt } = share;
  await putIf({
    Item: {
      ...keys.notice('shares:manage', reportedAt, shareId),
      type: 'share-reported',
      shareId,
      createdAt: reportedAt,
      ttl: Math.ceil((Date.parse(reportedAt) + keptMs) / 1_000),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
};
