import { enableCodeCopies, showCodeCopies, updateTabStops } from '../../browser/code-blocks.ts';
import { followImages } from '../../browser/failed-images.ts';
import { followReading } from './parts/contents.ts';
import { followLines } from './parts/lines.ts';
import { onExchange } from './parts/live/exchanges.ts';
import { enablePage } from './parts/page.ts';
import { copyAndTell } from './parts/toast.ts';
import { enableWrapping } from './parts/wrapping.ts';
import { shareScriptTexts as texts } from './texts.ts';

enablePage();
followReading();

const prose = document.querySelector<HTMLElement>('.prose');
if (prose) {
  enableCodeCopies(prose, (copy) => copyAndTell(copy, texts.codeCopied, texts.notCopied));
  enableWrapping(prose);
  followLines(prose);
  followImages(prose);
  addEventListener('resize', () => updateTabStops(prose));
  onExchange(() => showCodeCopies(prose));
  if (prose.querySelector('.views, .picture')) {
    void import('./parts/kinds.ts').then(({ followKinds }) => followKinds(prose));
  }
}
