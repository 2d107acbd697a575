import { brotliDecompressSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

/** Where a service stores. */
interface Store {
  readonly table: { readonly client: DynamoDBDocumentClient; readonly name: string };
  readonly bucket: { readonly client: S3Client; readonly name: string };
}

/** Returns bytes as they are stored, and as they were before the service compressed them. */
const withText = (bytes: Uint8Array): Buffer[] => {
  try {
    return [Buffer.from(bytes), brotliDecompressSync(bytes)];
  } catch {
    return [Buffer.from(bytes)];
  }
};

/** Reads all that a service has stored, as bytes. */
export const readStored = async ({ table, bucket }: Store): Promise<Buffer[]> => {
  const values: Buffer[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof Uint8Array) values.push(...withText(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    else values.push(Buffer.from(String(value)));
  };
  for await (const { Items } of paginateScan({ client: table.client }, { TableName: table.name })) {
    collect(Items);
  }
  const { client, name: Bucket } = bucket;
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  for (const { Key = '' } of Contents) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    values.push(Buffer.from(Key), ...withText(bytes));
  }
  return values;
};

/** Returns which of these are in any of the values: texts, and bytes. */
export const findIn = (
  values: readonly Buffer[],
  searched: readonly (string | Uint8Array)[],
): string[] =>
  searched
    .map((one) => Buffer.from(one))
    .filter((one) => values.some((value) => value.includes(one)))
    .map(String);
