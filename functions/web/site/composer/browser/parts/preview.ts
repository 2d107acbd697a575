import { createPreviewPane } from '../../../../browser/preview/pane.ts';
import { composerTexts as texts } from '../../texts.ts';
import { controls, preview } from './elements.ts';
import { remark } from './notice.ts';

const { title } = controls;
const { placeholder } = title;

/** The preview of the content, which also shows the title that a share of it gets if it is given none. */
export const pane = createPreviewPane(preview, texts, (remarks) => {
  remark.value = remarks?.remark;
  title.placeholder = remarks?.title ?? placeholder;
});
