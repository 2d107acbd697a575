const kilobyte = 1024;
const megabyte = 1024 * 1024;

const digits = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a size in a tree: `312 bytes`, `6 KB`, `1.2 MB`. What is too much is never rounded down to what is allowed. */
export const formatSize = (bytes: number): string => {
  if (bytes < kilobyte) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes <= kilobyte * 999) return `${Math.ceil(bytes / kilobyte)} KB`;
  return `${digits.format(Math.ceil((bytes / megabyte) * 10) / 10)} MB`;
};

/** Formats a part of a size, in the unit of the whole unless that says too little: `3.1 of 8.2 MB`, `12 of 868 KB`. */
export const formatPart = (part: number, whole: number): string => {
  const total = formatSize(whole);
  const [, unit = ''] = total.split(' ');
  const known = { KB: kilobyte, MB: megabyte }[unit] ?? 1;
  return `${digits.format(Math.floor((part / known) * 10) / 10)} of ${total}`;
};
