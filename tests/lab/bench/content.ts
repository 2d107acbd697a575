import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { startS3 } from '../../../infra/local/aws/s3/engine.ts';
import { ensureBucket } from '../../../infra/local/files/bucket.ts';
import { ensureTable } from '../../../infra/local/table.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { s3ThresholdBytes } from '../../../shared/storage/stored-text.ts';
import { randomText, words } from '../../support/shares/contents.ts';
import { meterAws } from '../../support/table/meter.ts';
import { textTable } from '../support/text-table.ts';
import { type Cost, inBucket, inTable } from './content/index-entries.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';
import { median } from './support/median.ts';
import { progressBar } from './support/progress-bar.ts';

const kb = 1_024;
const largestKb = 64;
const shownKb = [1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64];
const reads = [1, 10, 100, 1_000];
const qualities = [1, 4, 6];

/** The cost of a text in each place, by its compressed size in KB. */
interface Sample {
  readonly sizeKb: number;
  readonly table: Cost;
  readonly bucket: Cost;
}

const setEnvironment = (dynamoDb: string, s3: string): void => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb,
    AWS_ENDPOINT_URL_S3: s3,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: 'handbill-bench-content',
    FILES_BUCKET: 'handbill-bench-content',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
};

const credentials = async () => ({ accessKeyId: 'local', secretAccessKey: 'local' });

const measureCosts = async (): Promise<Sample[]> => {
  const [dynamoDb, s3] = [await startDynamoDb({}), await startS3({ credentials })];
  setEnvironment(dynamoDb.endpoint, s3.endpoint);
  await ensureTable(tableName());
  await ensureBucket(process.env['FILES_BUCKET'] ?? '', []);
  const meter = meterAws();
  try {
    const samples: Sample[] = [];
    const step = progressBar('Measuring units', largestKb);
    for (let sizeKb = 1; sizeKb <= largestKb; sizeKb++) {
      // Leaves room for the keys and names of the item, so that it fills its last unit.
      const bytes = sizeKb * kb - 150;
      samples.push({
        sizeKb,
        table: await inTable(meter, bytes),
        bucket: await inBucket(meter, bytes),
      });
      step();
    }
    return samples;
  } finally {
    meter.stop();
    await Promise.all([dynamoDb.close(), s3.close()]);
  }
};

const total = ({ write, read, end }: Cost, times: number, isWhole: boolean): number =>
  write + times * read + (isWhole ? end : 0);

/** Returns the smallest size from which the bucket stays cheaper. */
const breakEven = (samples: readonly Sample[], times: number, isWhole: boolean): string => {
  const isCheaper = ({ table, bucket }: Sample) =>
    total(bucket, times, isWhole) < total(table, times, isWhole);
  const first = samples.findLastIndex((sample) => !isCheaper(sample)) + 1;
  return samples[first] === undefined ? 'none' : `${samples[first].sizeKb} KB`;
};

const perMillion = (dollars: number): string => (dollars * 1e6).toFixed(2);

const costTable = (samples: readonly Sample[]): string =>
  textTable(
    ['compressed KB', ...reads.flatMap((times) => [`${times} table`, `${times} S3`])],
    samples
      .filter(({ sizeKb }) => shownKb.includes(sizeKb))
      .map(({ sizeKb, table, bucket }) => [
        String(sizeKb),
        ...reads.flatMap((times) =>
          [table, bucket].map((cost) => perMillion(total(cost, times, false))),
        ),
      ]),
  );

const breakEvenTable = (samples: readonly Sample[]): string =>
  textTable(
    ['S3 is cheaper from', ...reads.map((times) => `${times} reads`)],
    [false, true].map((isWhole) => [
      isWhole ? 'written, read and deleted' : 'written and read',
      ...reads.map((times) => breakEven(samples, times, isWhole)),
    ]),
  );

const compress = promisify(brotliCompress);

const compressionTable = async (rounds: number): Promise<string> => {
  const texts = [100, 2_048].flatMap((sizeKb) => [
    { name: `${sizeKb} KB of text`, text: words(sizeKb * kb) },
    { name: `${sizeKb} KB at random`, text: randomText(sizeKb * kb) },
  ]);
  const step = progressBar('Compressing', texts.length * qualities.length);
  const rows: string[][] = [];
  for (const { name, text } of texts) {
    for (const quality of qualities) {
      const times: number[] = [];
      let bytes = 0;
      for (let round = 0; round <= rounds; round++) {
        const started = performance.now();
        const packed = await compress(text, {
          params: { [constants.BROTLI_PARAM_QUALITY]: quality },
        });
        // The first round only warms up.
        if (round > 0) times.push(performance.now() - started);
        bytes = packed.length;
      }
      rows.push([name, String(quality), (bytes / kb).toFixed(1), median(times).toFixed(1)]);
      step();
    }
  }
  return textTable(['brotli of', 'quality', 'KB', 'ms'], rows);
};

const readRounds = (args: readonly string[]): number => {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '9' } },
  });
  const rounds = Number(values.rounds);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 1_000) return rounds;
  throw new Error('--rounds wants a whole number from 1 to 1000');
};

/** Checks whether `s3ThresholdBytes` is the size from which S3 is cheaper than the table, and measures compression. */
export const content: Benchmark = {
  summary:
    'Cost of texts in the table and in S3 by size, the break-even size, and compression time',
  usage: '[--rounds 9]',
  run: async (args) => {
    const rounds = readRounds(args);
    const samples = await measureCosts();
    process.stdout.write(
      [
        costTable(samples),
        '\nUS dollars for a million texts, each written once and read so many times: units as the local DynamoDB counts',
        ' them, list prices of us-east-1 on 2026-11-21.\n\n',
        breakEvenTable(samples),
        `\nbreakEvenBytes is ${s3ThresholdBytes} bytes.\n\n`,
        await compressionTable(rounds),
        `\nms are medians of ${rounds}. ${machine()}.\n`,
      ].join(''),
    );
  },
};
