import type { Remarks } from '../../../../browser/preview/messages.ts';
import { createPreviewPane } from '../../../../browser/preview/pane.ts';
import { composerTexts as texts } from '../../texts.ts';
import { controls, preview } from './elements.ts';
import { remark } from './notice.ts';

const { title, fileName } = controls;
const { placeholder } = title;

/** The title that the share gets if it is given none, as the API decides it. */
let ownTitle: string | undefined;

const findOwnTitle = (remarks: Remarks | undefined): string | undefined =>
  fileName.value === '' || remarks?.hasFrontTitle
    ? remarks?.title
    : fileName.value.slice(0, fileName.value.lastIndexOf('.'));

/** Returns the title that the share will have. */
export const getTitle = (): string | undefined => title.value.trim() || ownTitle;

/** The preview of the content. */
export const pane = createPreviewPane(preview, texts, (remarks) => {
  remark.value = remarks?.remark;
  ownTitle = findOwnTitle(remarks);
  title.placeholder = ownTitle ?? placeholder;
});
