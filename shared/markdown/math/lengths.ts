/** Sizes of units in em, at 16 px and 12 pt an em. */
const emsOfUnit: Readonly<Record<string, number>> = {
  ...{ em: 1, ex: 0.5, mu: 1 / 18, px: 1 / 16, pt: 1 / 12 },
  ...{ mm: 0.236, cm: 2.362, in: 6 },
};

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** What a length can be, in em of the text around its formula. */
const bounds: Readonly<Record<string, Bounds>> = {
  ...{ width: { min: 0, max: 40 }, height: { min: 0, max: 20 }, depth: { min: 0, max: 20 } },
  ...{ lspace: { min: -2, max: 5 }, rspace: { min: -2, max: 5 }, voffset: { min: -2, max: 2 } },
  ...{ minsize: { min: 0, max: 10 }, maxsize: { min: 0, max: 10 } },
  ...{ linethickness: { min: 0, max: 1 }, mathsize: { min: 0.1, max: 5 } },
};

/** What the lengths of one direction of a formula can add up to. em. */
const maxSum = 200;

const form = /^(-?\d+(?:\.\d+)?)(em|ex|mu|px|pt|mm|cm|in)?$/;

const clamp = (value: number, { min, max }: Bounds): number => Math.min(Math.max(value, min), max);

/** What the elements around a node make of its lengths: how large an em is, and how far it is moved. em of the text. */
export interface Surroundings {
  readonly scale: number;
  readonly offset: number;
}

export const atStart: Surroundings = { scale: 1, offset: 0 };

/** Reads a length in em of its own element. A number without a unit is none, except for 0. */
const readLength = (value: string): number | undefined => {
  const [, amount, unit] = form.exec(value) ?? [];
  if (amount === undefined) return undefined;
  if (unit === undefined) return Number(amount) === 0 ? 0 : undefined;
  return Number(amount) * (emsOfUnit[unit] ?? 0);
};

/** Keeps the lengths of one formula so small that it stays in its place, each and together. */
export class LengthLimiter {
  readonly #left = { across: maxSum, down: maxSum };

  /** The width of all given lengths so far, in em. */
  get across(): number {
    return maxSum - this.#left.across;
  }

  #limit(name: string, size: number, { offset }: Surroundings): number {
    const allowed = clamp(size, bounds[name] ?? { min: 0, max: 0 });
    if (name === 'voffset') return clamp(offset + allowed, bounds['voffset'] as Bounds) - offset;
    if (name !== 'width' && name !== 'height' && name !== 'depth') return allowed;
    const direction = name === 'width' ? 'across' : 'down';
    const taken = Math.min(allowed, this.#left[direction]);
    this.#left[direction] -= taken;
    return taken;
  }

  /** Returns a length as it was written, or the nearest one that is allowed; `undefined` for what isn’t a length. */
  limit(name: string, value: string, around: Surroundings): string | undefined {
    const length = readLength(value);
    if (length === undefined) return undefined;
    const size = length * around.scale;
    const limited = this.#limit(name, size, around);
    return limited === size ? value : `${Number((limited / around.scale).toFixed(4))}em`;
  }

  /** Returns what an element with these attributes, which are limited, is to its children. */
  enter(attributes: ReadonlyMap<string, string>, { scale, offset }: Surroundings): Surroundings {
    const mathsize = readLength(attributes.get('mathsize') ?? '1em') ?? 1;
    const voffset = readLength(attributes.get('voffset') ?? '0') ?? 0;
    return { scale: scale * mathsize, offset: offset + voffset * scale };
  }
}

/** Whether an attribute is a length. */
export const isLength = (name: string): boolean => Object.hasOwn(bounds, name);
