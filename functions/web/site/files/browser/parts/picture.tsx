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

/** What stands before the name of a file in lists. */
export const Picture = ({ file: { type } }: { readonly file: File }) => (
  <span class={`kind${tints[type] ?? ''}`}>
    <Icon name={icons[type]} />
  </span>
);
