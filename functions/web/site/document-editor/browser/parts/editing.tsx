import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Icon } from '../../../../browser/components/icon.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { documentTexts } from '../../../../browser/document-dialogs/texts.ts';
import { createEditor, startTyping } from '../../../../browser/editor/editor.ts';
import { startFormatBar } from '../../../../browser/editor/format-bar.ts';
import { formatButtons } from '../../../../browser/editor/format-buttons.ts';
import { createPlainEditor } from '../../../../browser/editor/plain-editor.ts';
import { watchPaste } from '../../../../browser/editor/rich-paste/watch.ts';
import type { TextEditor } from '../../../../browser/editor/text-editor.ts';
import { createPreviewPane, type PreviewPane } from '../../../../browser/preview/pane.ts';
import type { IconName } from '../../../../layout/icons.ts';
import { documentPageTexts as texts } from '../../texts.ts';
import { noteChange, startSaving, type Values } from './saving.ts';
import { type Document, toLanguage } from './state.ts';

type View = 'write' | 'split' | 'preview';

const narrow = matchMedia('(max-width: 45rem)');
const view = signal<View>(narrow.matches ? 'write' : 'split');
const title = signal('');
const bytes = signal(0);
/** Whether the editor fills the window. */
export const isFull = signal(false);

/** The title as it is written now. */
export const writtenTitle: ReadonlySignal<string> = title;

let editor: TextEditor | undefined;

/** Returns what the editor contains. */
export const readText = (): string => editor?.getText() ?? '';

/** As the API limits the content of documents. */
const maxBytes = 2 * 1024 ** 2;

/** After the last change. ms. */
const previewDelayMs = 150;

/** Creates the textarea outside Preact, because CodeMirror takes its place. */
const createArea = (host: HTMLElement): HTMLTextAreaElement => {
  const area = document.createElement('textarea');
  area.id = 'content';
  area.placeholder = texts.placeholder;
  area.autocomplete = 'off';
  area.dir = 'auto';
  const label = document.createElement('label');
  label.className = 'vh';
  label.htmlFor = area.id;
  label.textContent = texts.content;
  host.append(label, area);
  return area;
};

const offerPasted = ({ clipboardData }: ClipboardEvent): void => {
  if (editor) watchPaste(clipboardData, { editor, show: toast });
};

/** Gives the editor the focus at a place. */
const goOn = (caret: number): void => {
  if (!editor) return;
  const at = { from: caret, to: caret };
  editor.edit({ change: { ...at, insert: '' }, selection: at });
  editor.focus();
  editor.scrollToLine(editor.getText().slice(0, caret).split('\n').length - 1);
};

/** Starts the editor. Returns it. */
const start = (
  document: Document,
  host: HTMLElement,
  pane: PreviewPane | undefined,
): TextEditor => {
  const area = createArea(host);
  const language = toLanguage(document.type);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showPreview = () => {
    if (pane && language) pane.show(language, readText());
  };
  const count = () => {
    bytes.value = editor?.countBytes() ?? 0;
  };
  const change = () => {
    noteChange();
    count();
    clearTimeout(timer);
    timer = setTimeout(showPreview, previewDelayMs);
  };
  const show = (values: Values, caret?: number) => {
    title.value = values.title;
    editor?.load(values.content);
    count();
    showPreview();
    // The view that hides the editor goes first.
    if (caret !== undefined) setTimeout(() => goOn(caret));
  };
  const values = startSaving(document, {
    read: () => ({ title: title.value, content: readText() }),
    show,
  });
  area.value = values.content;
  const describedBy = host.ownerDocument.getElementById('save-state') as HTMLElement;
  editor = language
    ? createEditor(area, {
        language,
        label: texts.content,
        describedBy,
        noteChange: change,
        noteTakeover: () => undefined,
      })
    : createPlainEditor(area, change);
  if (language === 'markdown') host.addEventListener('paste', offerPasted, { capture: true });
  show(values);
  // A new one has nothing to read before.
  if (values.content === '') startTyping(editor);
  return editor;
};

/** The title of a document that can be changed. */
export const TitleField = () => (
  <input
    class="bare t"
    aria-label={texts.name}
    placeholder={documentTexts.untitled}
    autocomplete="off"
    dir="auto"
    maxLength={200}
    value={title.value}
    onFocus={({ currentTarget }) =>
      currentTarget.value === documentTexts.untitled && currentTarget.select()
    }
    onInput={({ currentTarget }) => {
      title.value = currentTarget.value;
      noteChange();
    }}
  />
);

interface PaneProps {
  readonly paneRef: { current: HTMLElement | null };
}

/** The preview’s element, with what the server says about its parts. */
const Pane = ({ paneRef }: PaneProps) => {
  const { frame, worker } = document.getElementById('document')?.dataset ?? {};
  return (
    <section
      ref={paneRef}
      class="preview"
      aria-label={texts.preview}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      data-frame={frame}
      data-worker={worker}
    />
  );
};

interface ToggleProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isOn: boolean;
  readonly class?: string;
  readonly onClick: () => void;
}

const Toggle = ({ icon, label, isOn, class: extra = '', onClick }: ToggleProps) => (
  <button
    type="button"
    class={`btn ghost icon sm ${extra}`}
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);

const switchTo = (next: View) => () => {
  view.value = view.value === next ? 'write' : next;
};

const EditorBar = ({ barRef }: { readonly barRef: { current: HTMLDivElement | null } }) => (
  <div class="ed-tools" role="toolbar" aria-label={texts.format} ref={barRef}>
    {formatButtons.map(({ name, label, icon }) => (
      <button
        key={name}
        type="button"
        class="btn ghost icon sm"
        data-format={name}
        aria-label={label}
        title={label}
      >
        <Icon name={icon} />
      </button>
    ))}
    <span class="grow" />
    <span class="tiny mute num hide-s">
      {texts.size(formatBytes(bytes.value), formatBytes(maxBytes))}
    </span>
    <span class="v hide-s" />
    <Toggle
      icon="cols"
      label={texts.beside}
      class="hide-s"
      isOn={view.value === 'split'}
      onClick={switchTo('split')}
    />
    <Toggle
      icon="eye"
      label={texts.preview}
      class="only-s"
      isOn={view.value === 'preview'}
      onClick={switchTo('preview')}
    />
    <Toggle
      icon="full"
      label={texts.full}
      isOn={isFull.value}
      onClick={() => {
        isFull.value = !isFull.value;
      }}
    />
  </div>
);

addEventListener('keydown', ({ key, defaultPrevented }) => {
  if (key === 'Escape' && !defaultPrevented) isFull.value = false;
});

/** A document that can be changed: its text, and beside it what it looks like. */
export const Editing = ({ document: stored }: { readonly document: Document }) => {
  const host = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const language = toLanguage(stored.type);
  useEffect(() => {
    if (!host.current) return;
    const preview = pane.current ? createPreviewPane(pane.current, texts) : undefined;
    const started = start(stored, host.current, preview);
    if (bar.current && language) {
      startFormatBar(bar.current, { editor: started, getLanguage: () => language });
    }
  }, []);
  return (
    <div class="doc" data-view={language ? view.value : 'write'}>
      {language && <EditorBar barRef={bar} />}
      <div class="panes">
        <div class="src" ref={host} />
        {language && <Pane paneRef={pane} />}
      </div>
    </div>
  );
};

/** A document that the user can only read. */
export const Reading = ({ document: stored }: { readonly document: Document }) => {
  const pane = useRef<HTMLElement>(null);
  const language = toLanguage(stored.type);
  useEffect(() => {
    if (pane.current && language) {
      createPreviewPane(pane.current, texts).show(language, stored.content ?? '');
    }
  }, [stored.content]);
  return (
    <div class="doc" data-view="preview">
      {language ? (
        <div class="panes">
          <Pane paneRef={pane} />
        </div>
      ) : (
        <pre class="plain" dir="auto">
          {stored.content}
        </pre>
      )}
    </div>
  );
};
