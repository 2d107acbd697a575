import { effect, signal } from '@preact/signals';
import { createPreviewPane, type PreviewPane } from '../../../../browser/preview/pane.ts';
import { standAlone } from '../../../../browser/sealed/alone.ts';
import { composerTexts as texts } from '../../texts.ts';
import { controls, preview } from './elements.ts';
import { remark } from './notice.ts';
import { isSealed } from './sealing/sealed.ts';

const { title } = controls;
const { placeholder } = title;

/** The title that a share of the content gets if it is given none. */
const foundTitle = signal<string | undefined>(undefined);

// Nothing of what is sealed becomes a title.
effect(() => {
  title.placeholder = (isSealed.value ? undefined : foundTitle.value) ?? placeholder;
});

const shown = createPreviewPane(preview, texts, (remarks) => {
  remark.value = remarks?.remark;
  foundTitle.value = remarks?.title;
});

/** The preview of the content, which also shows the title that a share of it gets if it is given none. */
export const pane: PreviewPane = {
  ...shown,
  show: (language, text, files) => {
    const isAlone = isSealed.value && language === 'html' && text.trim() !== '';
    shown.show(language, text, isAlone ? { message: standAlone(text) } : files);
  },
};
