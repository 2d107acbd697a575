/** An item as the table returns it. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * Creates the parser of one kind of stored record. It checks that an item has the attributes that every such record has, so
 * that an item of another kind fails here; an absent item stays `undefined`.
 * @throws Error with the names of the record and the attribute, without values
 */
export const itemParser =
  <Stored extends object>(record: string, required: readonly (keyof Stored & string)[]) =>
  <Found extends Item | undefined>(item: Found): Stored | Extract<Found, undefined> => {
    if (item) {
      const missing = required.find((name) => item[name] === undefined);
      if (missing !== undefined) throw new Error(`A stored ${record} has no ${missing}`);
    }
    // The service alone writes the table, so the types of the attributes are those that the code stored.
    return item as unknown as Stored | Extract<Found, undefined>;
  };
