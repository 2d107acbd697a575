import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { copyText } from '../../../../browser/data/clipboard.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { sharePageTexts as texts } from '../../share-page-texts.ts';
import { type Document, toLanguage } from './state.ts';

/** Returns a text as a block of Markdown that shows it as it is. */
const toCodeBlock = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};

/** Makes a share of what a document says, and shows its link. */
export const sharePage = async (document: Document, content: string): Promise<void> => {
  const language = toLanguage(document.type);
  const body = {
    title: document.title,
    language: language ?? ('markdown' as const),
    content: language ? content : toCodeBlock(content),
  };
  try {
    const { url } = await api.call('POST /api/share', { body });
    openDialog((close) => (
      <Dialog title={texts.sharedTitle} onClose={close}>
        <p class="mute">{texts.sharedText}</p>
        <p class="row">
          <input class="in grow" readOnly aria-label={texts.link} value={url} />
          <Button onClick={() => copyText(url, texts.copied, texts.notCopied)}>{texts.copy}</Button>
          <a class="btn primary" href={url} target="_blank" rel="noopener">
            {texts.openPage}
          </a>
        </p>
      </Dialog>
    ));
  } catch (error) {
    showFailure(texts.notShared((error as Error).message), () => sharePage(document, content));
  }
};
