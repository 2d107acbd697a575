const references = /&(?:amp|quot|apos|lt|gt|#\d{1,7}|#x[\da-f]{1,6});/gi;

const named: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&quot;': '"', '&apos;': "'", '&lt;': '<', '&gt;': '>' },
};

const decode = (reference: string): string => {
  const lower = reference.toLowerCase();
  const code = lower.startsWith('&#x')
    ? Number.parseInt(lower.slice(3), 16)
    : Number.parseInt(lower.slice(2), 10);
  return named[lower] ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : reference);
};

/** The text of an attribute, and where each place of it is written. */
export interface AttributeText {
  readonly text: string;
  /** Converts a place in the text to one in the source, both from the start of the value. */
  readonly toSource: (at: number) => number;
}

/** Decodes the character references that addresses and styles are written with: of signs, and by number. */
export const readAttributeText = (source: string): AttributeText => {
  if (!source.includes('&')) return { text: source, toSource: (at) => at };
  let text = '';
  let copied = 0;
  /** Where the text goes on after each reference, and how much longer the source is until there. */
  const shifts: [at: number, by: number][] = [];
  for (const { index, 0: reference } of source.matchAll(references)) {
    text += source.slice(copied, index) + decode(reference);
    copied = index + reference.length;
    shifts.push([text.length, copied - text.length]);
  }
  text += source.slice(copied);
  const toSource = (at: number): number => {
    let [low, high] = [0, shifts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((shifts[middle]?.[0] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return at + (shifts[low - 1]?.[1] ?? 0);
  };
  return { text, toSource };
};
