import { toSortKeyTime } from '../../../functions/api/calendar/record/index-entries.ts';
import { documentKeys } from '../../../functions/api/documents/keys.ts';
import { createFileKey, createUploadKey } from '../../../functions/api/files/uploads/objects.ts';
import { listKeyFamilies } from '../../../infra/build/data-model.ts';
import type { AnyKeyFamily, Key } from '../../../shared/db/key.ts';
import { formBytesKey } from '../../../shared/http/form-allowance.ts';
import { removeTexts } from '../../../shared/storage/stored-text.ts';
import { toSortName } from '../../../shared/text/sort-name.ts';

/** Returns the key of the object that holds a record's texts. */
const textObject = (owner: Key, id: string) =>
  String(removeTexts(owner, { id, place: 'bucket', parts: [] })?.Put?.Item?.['key']);

const at = '2026-11-21T09:30:00.000Z';

/** Keys, and parts of keys, that no family makes alone. */
export const otherKeys: Readonly<Record<string, Key | string>> = {
  formBytesKey: formBytesKey(7),
  inKey: toSortKeyTime(Date.parse(at)),
  createFileKey: createFileKey(),
  createUploadKey: createUploadKey(),
  sortNameOf: toSortName('Ann  ﬁne Ünal'),
  textObject: textObject(documentKeys.record.at({ id: 42 }), 'abc'),
};

/** A part of each kind; those of the kinds that choose from texts have the first one. */
const samples: Readonly<Record<string, unknown>> = {
  text: 'abc',
  any: 'a#b c',
  lower: 'Ann@Example.com',
  int: 7,
  optional: 9,
  id: 42,
  list: 'OF#7',
  first: '😀word',
};

/** Returns the name and kind of each part of a family. */
export const listParts = ({ pk, sk }: AnyKeyFamily): (readonly [name: string, kind: string])[] =>
  [...`${pk} ${sk}`.matchAll(/\{(\w+):?([^}]*)\}/g)].map(([, name = '', kind = '']) => [
    name,
    kind || 'text',
  ]);

/** Returns all families as lines: name, templates, and a key. */
export const describeFamilies = async (): Promise<string[]> =>
  (await listKeyFamilies()).map(({ name, family }) => {
    const parts = listParts(family).map(([part, kind]) => [
      part,
      kind.includes('|') ? kind.split('|')[0] : samples[kind.replace(/^shard of \d+$/, 'text')],
    ]);
    // The first character and the shard are of a text that the sort key holds as a whole.
    const key = (family.at as (parts: unknown) => Key)(Object.fromEntries(parts));
    return `${name} ${family.pk} | ${family.sk} → ${key.pk} | ${key.sk}`;
  });
