/** Formats US dollars, such as `$7.50`. */
export const formatDollars = (dollars: number): string => `$${dollars.toFixed(2)}`;
