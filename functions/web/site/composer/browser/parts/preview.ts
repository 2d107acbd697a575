import { createPreviewPane } from '../../../../browser/preview/pane.ts';
import { composerTexts as texts } from '../../texts.ts';
import { preview } from './elements.ts';

/** The preview of the content. */
export const pane = createPreviewPane(preview, texts);
