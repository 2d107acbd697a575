/** Draws a QR code as a path of squares, one unit each. `data` are its rows, dark squares `true`. */
export const toQrPath = (data: readonly (readonly boolean[])[]): string =>
  data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
