import { systemChange } from '../../shared/change.ts';
import { readMatches } from '../../shared/page.ts';
import { keys, schema } from '../../shared/table.ts';
import { isOver } from './file.ts';
import { find, untilDone, write } from './files.ts';

/** As many as a minute's sweep takes on; the rest waits for the next one. */
const atOnce = 50;

const giveUpIfOver = (id: number): Promise<true> =>
  untilDone(async () => {
    const seen = await find(id);
    // The index lags: it may name what is complete or gone.
    if (seen?.status !== 'uploading' || !isOver(seen)) return true;
    return (await write(seen, undefined, systemChange('file.expire'))) || undefined;
  });

/** Gives up the uploads that were not completed in time, 50 at a time, and gives back what they had reserved. */
export const giveUpUploads = async (): Promise<void> => {
  const { items } = await readMatches(
    {
      IndexName: schema.index.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :now',
      ExpressionAttributeValues: {
        ':pk': keys.fileUploadEnds('', 0).pk,
        ':now': new Date().toISOString(),
      },
    },
    { matches: atOnce, scanned: atOnce },
  );
  for (const { id } of items) await giveUpIfOver(id as number);
};
