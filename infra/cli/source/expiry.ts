import { InvalidArgumentError } from 'commander';

const secondsOf: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};

/** Parses `90m`, `2d` or a time into the fields of a share. @throws InvalidArgumentError */
export const parseExpiry = (
  text: string,
): { readonly expiresIn: number } | { readonly expiresAt: string } => {
  const [, count, unit = ''] = text.match(/^(\d+)([smhdw])$/) ?? [];
  if (count !== undefined) return { expiresIn: Number(count) * (secondsOf[unit] ?? 1) };
  const at = Date.parse(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(at)) return { expiresAt: new Date(at).toISOString() };
  throw new InvalidArgumentError('It must be such as 90m, 12h, 2d, 1w or 2030-01-31.');
};

/** Parses a number from 1. @throws InvalidArgumentError */
export const parseCount = (text: string): number => {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1.');
};
