import type { IconName } from '../../layout/icons.ts';
import type { Format } from './formatting.ts';

interface FormatButton {
  readonly name: Format;
  readonly label: string;
  readonly icon: IconName;
}

/** The buttons that format the selected text. */
export const formatButtons: readonly FormatButton[] = [
  { name: 'heading', label: 'Heading', icon: 'head' },
  { name: 'bold', label: 'Bold', icon: 'bold' },
  { name: 'italic', label: 'Italic', icon: 'ital' },
  { name: 'link', label: 'Link', icon: 'link' },
  { name: 'quote', label: 'Quote', icon: 'quote' },
  { name: 'list', label: 'List', icon: 'list' },
  { name: 'code', label: 'Code', icon: 'code' },
  { name: 'image', label: 'Image', icon: 'img' },
];
