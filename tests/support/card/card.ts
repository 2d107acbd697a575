import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../functions/web/pictures');

/** What the picture of link previews is rendered from, and the picture. */
export const cardPaths = {
  source: join(folder, 'card.html'),
  picture: join(folder, 'card.png'),
} as const;

/** The size that Open Graph and `summary_large_image` are made for. */
export const cardSize = { width: 1_200, height: 630 } as const;

/** A preview loads it before its reader sees anything. Bytes. */
export const maxCardBytes = 40 * 1_024;

/** Identifies what the picture is rendered from. */
export const hashCardSource = (): string => hash('sha256', readFileSync(cardPaths.source), 'hex');
