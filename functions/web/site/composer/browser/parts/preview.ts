import { createPreviewPane } from '../../../../browser/preview/pane.ts';
import { composerTexts as texts } from '../../texts.ts';
import { preview } from './elements.ts';
import { remark } from './notice.ts';

/** The preview of the content. */
export const pane = createPreviewPane(preview, texts, (text) => {
  remark.value = text;
});
