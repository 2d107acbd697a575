import { enableCodeCopies, showCodeCopies, updateTabStops } from '../../../browser/code-blocks.ts';
import { followImages } from '../../../browser/failed-images.ts';
import { shareScriptTexts as texts } from '../texts.ts';
import { followLines } from './lines.ts';
import { onExchange } from './live/exchanges.ts';
import { copyAndTell } from './toast.ts';
import { enableWrapping } from './wrapping.ts';

/** Makes what stands in a rendered text work: code, lines, images, tables and trees. */
export const enableProse = (prose: HTMLElement): void => {
  enableCodeCopies(prose, (copy) => copyAndTell(copy, texts.codeCopied, texts.notCopied));
  enableWrapping(prose);
  followLines(prose);
  followImages(prose);
  addEventListener('resize', () => updateTabStops(prose));
  onExchange(() => showCodeCopies(prose));
  if (prose.querySelector('.views, .picture')) {
    void import('./kinds.ts').then(({ followKinds }) => followKinds(prose));
  }
};
