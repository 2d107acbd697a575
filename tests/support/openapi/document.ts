import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeDocument } from './describe-document.ts';

const built = join(import.meta.dirname, '../../../functions/web/docs/built/openapi.json');

/** The document as built from the routes; `infra/build` has made it anew if they changed. */
export const { document, operationOf, validatorOf, examplesOf, checkAnswer } = describeDocument(
  JSON.parse(readFileSync(built, 'utf8')),
);
