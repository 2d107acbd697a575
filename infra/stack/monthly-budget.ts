import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { MonthlyBudgetSettings } from './stack-settings.ts';

/** Percent of the budget. The forecast, which AWS makes from five weeks of use on, tells before the month's end. */
const notices = [
  { type: 'ACTUAL', threshold: 50 },
  { type: 'ACTUAL', threshold: 80 },
  { type: 'ACTUAL', threshold: 100 },
  { type: 'FORECASTED', threshold: 100 },
] as const;

/**
 * A budget of the account: AWS emails when it is half, at 80 % and wholly spent, and when it will be. It counts all that
 * the account uses, not only this stage, some hours late, and stops nothing.
 * https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-best-practices.html
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { dollars, email }: MonthlyBudgetSettings) {
    super(scope, id);
    new CfnBudget(this, 'Budget', {
      // Without a name CloudFormation makes one, so that stages and regions don't share it.
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: notices.map(({ type, threshold }) => ({
        notification: {
          notificationType: type,
          comparisonOperator: 'GREATER_THAN',
          threshold,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}
