import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { schema } from '../shared/table.ts';
import type { TableAction } from './needs.ts';
import type { StackSettings } from './stack-settings.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The one table. It is kept when the stack goes, and can be brought back to any second of the last 35 days; in an
 * ephemeral stack neither.
 */
export class DataTable extends Construct {
  readonly tableName: string;
  readonly #tableArn: string;

  constructor(scope: Construct, id: string, settings: StackSettings) {
    super(scope, id);
    this.tableName = settings.existingTable ?? this.#make(settings.ephemeral).tableName;
    this.#tableArn = Stack.of(this).formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: this.tableName,
    });
  }

  #make(ephemeral: boolean): TableV2 {
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
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
  }

  /** Lets the grantee do just these to items of the table, and with `index` query that, too. */
  allow(grantee: IGrantable, actions: readonly TableAction[], index?: true): void {
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [this.#tableArn],
    });
    if (!index) return;
    Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:Query'],
      resourceArns: [`${this.#tableArn}/index/${schema.index.name}`],
    });
  }
}
