/** A color of the page: a number of twelve hues, or a gray (`k` black, `g` gray, `w` white). */
export type AnsiColor = number | 'k' | 'g' | 'w';

const hues = 12;

/** Black, red, green, yellow, blue, magenta, cyan, white: their hues in OKLCH, of 30 degrees each. */
const basic: readonly AnsiColor[] = ['k', 1, 5, 3, 9, 11, 7, 'w'];

/** Returns one of the 16 colors of terminals. Bright ones have the hue of the others, but for bright black, which is gray. */
export const toBasicColor = (number: number): AnsiColor =>
  number === 8 ? 'g' : (basic[number % 8] ?? 'g');

/** Converts a channel of sRGB from 0 to 255 to linear light. */
const toLinear = (channel: number): number => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Returns the nearest color of the page by hue in OKLab: https://bottosson.github.io/posts/oklab/ */
export const toNearestColor = (red: number, green: number, blue: number): AnsiColor => {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  if (Math.hypot(x, y) < 0.03) return lightness < 0.4 ? 'k' : lightness > 0.75 ? 'w' : 'g';
  return (Math.round((Math.atan2(y, x) / (2 * Math.PI)) * hues) + hues) % hues;
};

/** Returns a color of the palette of 256: the 16, a cube of 6 × 6 × 6, and 24 grays. */
export const toPaletteColor = (number: number): AnsiColor => {
  if (number < 16) return toBasicColor(number);
  if (number >= 232) return toNearestColor(...gray(8 + 10 * (number - 232)));
  const at = number - 16;
  const step = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  return toNearestColor(step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6));
};

const gray = (value: number): [number, number, number] => [value, value, value];
