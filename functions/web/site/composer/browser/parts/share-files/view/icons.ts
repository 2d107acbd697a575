import type { IconName } from '../../../../../../layout/icons.ts';
import type { DraftFile } from '../model/draft-file.ts';

const byKind: Readonly<Record<string, IconName>> = { image: 'img', audio: 'music', video: 'play' };

/** Returns the icon of a file, by its type. */
export const findIcon = ({ path, type }: Pick<DraftFile, 'path' | 'type'>): IconName => {
  if (type === 'text/css') return 'style';
  if (type === 'text/javascript' || /json$/.test(type)) return 'code';
  if (/\.(zip|gz|tgz|tar|7z|rar)$/i.test(path)) return 'zip';
  return byKind[type.split('/')[0] ?? ''] ?? 'doc';
};
