import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const {
  heading,
  keyword,
  string,
  comment,
  processingInstruction,
  url,
  tagName,
  atom,
  attributeName,
  labelName,
  typeName,
} = tags;

const colors = HighlightStyle.define([
  { tag: heading, fontWeight: '600' },
  {
    tag: [processingInstruction, comment, url, atom, labelName],
    color: 'var(--ink-3)',
    fontWeight: '400',
  },
  { tag: [keyword, tagName, typeName], color: 'var(--accent-ink)' },
  { tag: [string, tags.attributeValue], color: 'var(--ok)' },
  { tag: attributeName, color: 'var(--sea)' },
]);

/** The look of the editor, by the page's own colors and fonts. */
export const theme = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--ink)', fontSize: '0.8125rem' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65rem', overflowAnchor: 'none' },
    '.cm-content': { padding: '1.25rem 1.5rem 1.25rem 0', caretColor: 'var(--ink)' },
    '.cm-line': { padding: '0' },
    '.cm-gutters': {
      border: '0',
      background: 'none',
      color: 'var(--ink-3)',
      fontSize: '0.6875rem',
    },
    '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.75rem', padding: '0 0.9rem 0 0.75rem' },
    '.cm-activeLine, .cm-activeLineGutter': { background: 'none' },
    '&.cm-focused .cm-activeLine': { background: 'var(--hover)', borderRadius: '2px' },
    '.cm-placeholder': { color: 'var(--ink-3)' },
  }),
  syntaxHighlighting(colors),
];
