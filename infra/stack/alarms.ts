import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { createAlarmRules } from './alarm-rules.ts';
import type { MonitoredResources } from './watched.ts';

/** The alarms of a stage. They notify the email address: without one, nobody would see what they cost. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, watched: MonitoredResources, email: string) {
    super(scope, id);
    const action = new SnsAction(this.#createTopic(email));
    const rules = Object.entries(createAlarmRules(watched));
    for (const [name, rule] of rules) {
      const { metric, threshold, description, periods = 1, isHeartbeat = false } = rule;
      const alarm = new Alarm(this, name, {
        alarmName: `handbill-${watched.stage}-${name}`,
        alarmDescription: `${description}.`,
        metric,
        threshold,
        evaluationPeriods: periods,
        comparisonOperator: isHeartbeat
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: isHeartbeat ? TreatMissingData.IGNORE : TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  #createTopic(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    // The explicit policy replaces the default, which lets the account's alarms publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    return topic;
  }
}
