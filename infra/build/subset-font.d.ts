declare module 'subset-font' {
  /** Returns a font with only the characters of a text. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      readonly targetFormat: 'woff2';
      /** Further fields of the `name` table to keep. */
      readonly preserveNameIds?: readonly number[];
      readonly variationAxes?: Readonly<
        Record<string, { readonly min: number; readonly max: number }>
      >;
    },
  ): Promise<Uint8Array>;
}
