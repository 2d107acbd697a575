import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { schema } from '../../shared/db/key.ts';
import type { TableAction } from '../functions/config/rights.ts';
import type { StackSettings } from './stack-settings.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The table. Unless the stack is ephemeral, the table is retained and can be restored to any second of the last 35 days
 * (decisions.md#backups).
 */
export class DataTable extends Construct {
  readonly tableName: string;
  readonly #tableArn: string;

  constructor(scope: Construct, id: string, settings: StackSettings) {
    super(scope, id);
    this.tableName = settings.existingTable ?? this.#create(settings.ephemeral).tableName;
    this.#tableArn = Stack.of(this).formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: this.tableName,
    });
  }

  #create(ephemeral: boolean): TableV2 {
    return new TableV2(this, 'Table', {
      partitionKey: text(schema.partitionKey),
      sortKey: text(schema.sortKey),
      globalSecondaryIndexes: [
        {
          indexName: schema.index.name,
          partitionKey: text(schema.index.partitionKey),
          sortKey: text(schema.index.sortKey),
        },
      ],
      timeToLiveAttribute: schema.ttl,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !ephemeral },
      deletionProtection: !ephemeral,
      // Also if its creation is rolled back: CloudFormation can't delete a protected table.
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
  }

  /** Allows the grantee these actions on these partitions of the table, and queries of these partitions of its index. */
  allow(
    grantee: IGrantable,
    actions: readonly TableAction[],
    partitions: readonly string[],
    index: readonly string[] = [],
  ): void {
    const names = actions.map((action) => `dynamodb:${action}`);
    grant(grantee, names, this.#tableArn, partitions);
    if (index.length === 0) return;
    grant(grantee, ['dynamodb:Query'], `${this.#tableArn}/index/${schema.index.name}`, index);
  }
}

const leadingKeys = 'dynamodb:LeadingKeys';

/**
 * Allows the actions when every partition of the request matches. The second condition denies requests without a
 * partition, such as Scan, for which the first one is true.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
const grant = (
  grantee: IGrantable,
  actions: string[],
  resourceArn: string,
  partitions: readonly string[],
): void => {
  Grant.addToPrincipal({
    grantee,
    actions,
    resourceArns: [resourceArn],
    conditions: {
      'ForAllValues:StringLike': { [leadingKeys]: partitions },
      Null: { [leadingKeys]: 'false' },
    },
  });
};
