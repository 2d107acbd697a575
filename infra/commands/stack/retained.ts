import {
  GetTemplateCommand,
  ListStackResourcesCommand,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { createCloudFormation } from '../stack-state.ts';
import type { StageOutputs } from '../stage-outputs.ts';

/** A resource that stays when its stack is deleted. */
export interface Retained {
  readonly kind: string;
  readonly id: string;
}

/** A page has 100 resources, and a stack at most 500. */
const maxPages = 10;

/** How what holds data is used by another stack, and deleted. */
const kinds: Readonly<Record<string, { setting: string; delete: (id: string) => string }>> = {
  table: {
    setting: 'existingTable',
    delete: (id) =>
      `aws dynamodb update-table --table-name ${id} --no-deletion-protection-enabled, then aws dynamodb delete-table --table-name ${id}`,
  },
  bucket: {
    setting: 'existingBucket',
    delete: (id) => `empty it in the S3 console, then aws s3 rb s3://${id}`,
  },
  secret: {
    setting: 'existingSecret',
    delete: (id) => `aws secretsmanager delete-secret --secret-id ${id}`,
  },
};

const kindOfType: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'table',
  'AWS::DynamoDB::Table': 'table',
  'AWS::S3::Bucket': 'bucket',
  'AWS::SecretsManager::Secret': 'secret',
};

const listResources = async (StackName: string): Promise<StackResourceSummary[]> => {
  const client = createCloudFormation();
  const all: StackResourceSummary[] = [];
  let NextToken: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const command = new ListStackResourcesCommand({ StackName, NextToken });
    const { StackResourceSummaries = [], NextToken: next } = await client.send(command);
    all.push(...StackResourceSummaries);
    if (next === undefined) break;
    NextToken = next;
  }
  return all;
};

/** Returns the logical ids of the resources that the template of a stack retains. */
const readRetainedIds = async (StackName: string): Promise<ReadonlySet<string>> => {
  const command = new GetTemplateCommand({ StackName, TemplateStage: 'Original' });
  const { TemplateBody = '{}' } = await createCloudFormation().send(command);
  const { Resources = {} } = JSON.parse(TemplateBody) as {
    Resources?: Readonly<Record<string, { readonly DeletionPolicy?: string }>>;
  };
  return new Set(
    Object.entries(Resources)
      .filter(([, { DeletionPolicy }]) => /^Retain/.test(DeletionPolicy ?? ''))
      .map(([id]) => id),
  );
};

/** Whether a resource is there: a rolled-back creation deletes what its policy doesn't keep. */
const isThere = ({ ResourceStatus, PhysicalResourceId }: StackResourceSummary): boolean =>
  Boolean(PhysicalResourceId) && !/^(DELETE_COMPLETE|CREATE_FAILED)$/.test(ResourceStatus ?? '');

/** Reads which resources stay when a stack is deleted, also those that the rollback of its creation has kept. */
export const readRetained = async ({ StackId = '' }: Stack): Promise<Retained[]> => {
  const [resources, ids] = await Promise.all([listResources(StackId), readRetainedIds(StackId)]);
  return resources
    .filter((one) => isThere(one) && ids.has(one.LogicalResourceId ?? ''))
    .map(({ ResourceType = '', PhysicalResourceId: id = '' }) => ({
      kind: kindOfType[ResourceType] ?? ResourceType,
      id,
    }));
};

/** Returns what a stage uses and its stack doesn't contain, such as a restored table. */
export const retainedBeside = (
  { TableName, FilesBucketName, SigningSecretId }: Partial<StageOutputs>,
  retained: readonly Retained[],
): Retained[] =>
  Object.entries({ table: TableName, bucket: FilesBucketName, secret: SigningSecretId }).flatMap(
    ([kind, id]) =>
      id === undefined || retained.some((one) => one.id === id) ? [] : [{ kind, id }],
  );

/** Returns the settings by which another stack uses what is retained. */
export const toSettings = (retained: readonly Retained[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    retained.flatMap(({ kind, id }) => {
      const setting = kinds[kind]?.setting;
      return setting === undefined ? [] : [[setting, id]];
    }),
  );

/** Describes what stays, and how to use or delete each. */
export const describeRetained = (retained: readonly Retained[]): string => {
  if (retained.length === 0) return 'Nothing is retained.';
  const lines = retained.flatMap(({ kind, id }) => {
    const known = kinds[kind];
    if (!known) return [`  ${kind}  ${id}`];
    return [
      `  ${kind.padEnd(6)}  ${id}`,
      `    use it again: npm run deploy -- -c ${known.setting}=${id}`,
      `    delete it: ${known.delete(id)}`,
    ];
  });
  return ['Retained, and billed until you delete it:', ...lines].join('\n');
};
