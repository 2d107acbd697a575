import { enableCodeCopies, showCodeCopies, updateTabStops } from '../../browser/code-blocks.ts';
import { followImages } from '../../browser/failed-images.ts';
import { followReading } from './parts/contents.ts';
import { startPage } from './parts/every-page.ts';
import { followLines } from './parts/lines.ts';
import { onExchange } from './parts/live/exchanges.ts';
import { copyAndTell } from './parts/toast.ts';
import { enableWrapping } from './parts/wrapping.ts';
import { shareScriptTexts as texts } from './texts.ts';

startPage(() => {
  followReading();
  const prose = document.querySelector<HTMLElement>('.prose');
  if (!prose) return;
  enableCodeCopies(prose, (copy) => copyAndTell(copy, texts.codeCopied, texts.notCopied));
  onExchange(() => showCodeCopies(prose));
  enableWrapping(prose);
  // A table or the lines of a file are shown instead of each other.
  prose.addEventListener('change', () => updateTabStops(prose));
  followLines(prose);
  followImages(prose);
  if (prose.querySelector('.picture')) {
    void import('./parts/picture.ts').then(({ showDimensions }) => showDimensions(prose));
  }
  addEventListener('resize', () => updateTabStops(prose));
});
