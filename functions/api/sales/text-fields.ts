/**
 * The texts of a sale that can be changed, with the most characters (UTF-16) of each. An entry here is a field of
 * `POST` and `PUT /api/sales`, of the record, its audit and its responses, a column of files, and a field of the forms.
 *
 * To add one:
 * 1. add it here;
 * 2. name it in `functions/web/browser/sale-field-texts.ts`, for the pages of sales and of the audit log;
 * 3. say in `infra/build/openapi/field-texts.ts` what it means.
 *
 * Only a filter takes more: a key of an index (`keys.ts`, `sales.ts`, `list.ts`), a parameter and a field of the page.
 */
export const textFields = { customer: 200, category: 50 } as const;

/** The most characters of an id in another system, which can't be changed. */
export const maxExternalIdLength = 200;

export type TextField = keyof typeof textFields;

export const textFieldNames = Object.keys(textFields) as TextField[];

/** The texts as they are stored: without empty ones. */
export type StoredTexts = { readonly [Field in TextField]?: string };

/** Creates an object with an entry for each text. */
export const mapTextFields = <Value>(toValue: (field: TextField) => Value) =>
  Object.fromEntries(textFieldNames.map((field) => [field, toValue(field)])) as Record<
    TextField,
    Value
  >;

/** Creates an object with an entry for each text of which there is one. */
export const pickTextFields = <Value>(
  toValue: (field: TextField) => Value | undefined,
): { readonly [Field in TextField]?: Value } =>
  Object.fromEntries(
    textFieldNames
      .map((field) => [field, toValue(field)])
      .filter(([, value]) => value !== undefined),
  );
