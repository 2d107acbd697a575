/**
 * Creates a regular expression by its first use, for those that name Unicode properties: as a literal, it would make V8 load
 * Unicode's tables while it parses the bundle.
 */
export const pattern = (source: string, flags: string): (() => RegExp) => {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, flags);
    return made;
  };
};
