import { Icon } from '../../../../browser/components/icon.tsx';
import type { IconName } from '../../../../layout/icons.ts';
import type { File } from './state.ts';

const icons: Readonly<Record<File['type'], IconName>> = {
  folder: 'folder',
  image: 'img',
  video: 'screen',
  audio: 'music',
  document: 'doc',
  archive: 'clip',
  other: 'doc',
};

const tints: Readonly<Record<string, string>> = { folder: ' a', image: ' b', video: ' b' };

/** Returns the address of a file’s thumbnail. */
export const thumbnailUrl = ({ id }: File): string => `/api/files/${id}/thumbnail`;

/** What stands before the name of a file in lists. */
export const Picture = ({ file }: { readonly file: File }) =>
  file.hasThumbnail ? (
    <img class="kind" src={thumbnailUrl(file)} width={32} height={32} alt="" loading="lazy" />
  ) : (
    <span class={`kind${tints[file.type] ?? ''}`}>
      <Icon name={icons[file.type]} />
    </span>
  );
