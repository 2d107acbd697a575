import { formatBytes } from '../../../../../../../shared/text/format-bytes.ts';
import { type Html, html } from '../../../../../../../shared/text/html.ts';
import { pattern } from '../../../../../../../shared/text/pattern.ts';
import type { SealedFile } from '../../../../../browser/sealed/content.ts';
import { sharePageTexts } from '../../../../texts.ts';
import { sealedTexts as texts } from '../texts.ts';

/** Characters that aren’t seen and let a name pass for another. */
const unseen = pattern(String.raw`\p{C}`, 'gu');

/** Returns the name of a file as readers see it. */
export const toShownName = ({ name }: Pick<SealedFile, 'name'>): string =>
  name.trim() === '' ? texts.unnamed : name.replace(unseen(), '\ufffd');

/** Renders the files of a share with what downloads them; `undefined` without files. */
export const fileList = (files: readonly SealedFile[]): Html | undefined => {
  if (files.length === 0) return undefined;
  return html`<ul class="sealed-list">
${files.map((file, at) => {
  const name = toShownName(file);
  return html`<li><bdi class="name" dir="auto">${name}</bdi><span>${formatBytes(file.size)}</span><button class="btn sm" type="button" data-downloads="${at}" aria-label="${texts.downloadOf(name)}">${sharePageTexts.download}</button></li>
`;
})}</ul>`;
};
