/** A color of the page: the number of a hue, or gray, which is also what black and white are. */
export type AnsiColor = number | 'gray';

/** The hues in OKLCH: eight from red at 25 degrees, 45 degrees from one to the next. */
const hues = 8;
const firstHue = 25;

/** Black, red, green, yellow, blue, magenta, cyan, white. */
const basic: readonly AnsiColor[] = ['gray', 0, 3, 2, 5, 7, 4, 'gray'];

/** Returns one of the 16 colors of terminals. Bright ones have the hue of the others. */
export const toBasicColor = (number: number): AnsiColor => basic[number % 8] ?? 'gray';

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
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  if (Math.hypot(x, y) < 0.03) return 'gray';
  const degrees = (Math.atan2(y, x) * 180) / Math.PI;
  return Math.round(((degrees - firstHue + 360) % 360) / (360 / hues)) % hues;
};

/** Returns a color of the palette of 256: the 16, a cube of 6 × 6 × 6, and 24 grays. */
export const toPaletteColor = (number: number): AnsiColor => {
  if (number < 16) return toBasicColor(number);
  if (number >= 232) return 'gray';
  const at = number - 16;
  const step = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  return toNearestColor(step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6));
};
