import * as z from 'zod';

/** The order of a list, and whether it is reversed. */
export interface Sort<Name extends string = string> {
  readonly by: Name;
  readonly isReversed: boolean;
}

const toSort = <Name extends string>(text: string): Sort<Name> => {
  const isReversed = text.startsWith('-');
  return { by: (isReversed ? text.slice(1) : text) as Name, isReversed };
};

/** Creates the query parameter `sort`. A leading `-` reverses the order. */
export const sortBy = <const Name extends string>(names: readonly [Name, ...Name[]]) => {
  const all = names.join(', ').replace(/, (\w+)$/, ' or $1');
  return {
    sort: z
      .enum([...names, ...names.map((name) => `-${name}`)], `must be ${all}; - reverses the order`)
      .transform(toSort<Name>)
      .optional()
      .meta({ description: 'The order; a leading `-` reverses it.' }),
  };
};
