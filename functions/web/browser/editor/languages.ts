import {
  Language as CodeLanguage,
  defineLanguageFacet,
  languageDataProp,
  StreamLanguage,
  type StreamParser,
} from '@codemirror/language';
import { css } from '@codemirror/legacy-modes/mode/css';
import { javascript, json, typescript } from '@codemirror/legacy-modes/mode/javascript';
import { html as htmlMode } from '@codemirror/legacy-modes/mode/xml';
import type { Extension } from '@codemirror/state';
import type { Parser } from '@lezer/common';
import { styleTags, tags } from '@lezer/highlight';
import { GFM, parseCode, parser } from '@lezer/markdown';
import type { CodeLanguage as Name } from './text-editor.ts';

/** Defines a language of a mode, and what the mode's word for a property is. */
const define = (mode: StreamParser<unknown>) =>
  StreamLanguage.define({ ...mode, tokenTable: { property: tags.propertyName } });

const html = define(htmlMode);
const scripts = define(javascript);
const typed = define(typescript);
const data = define(json);
const styles = define(css);

/** Parsers of code blocks by their info string. */
const codeParsers = new Map<string, Parser>(
  (
    [
      [html, ['html', 'xml', 'svg']],
      [scripts, ['js', 'javascript', 'jsx', 'mjs']],
      [typed, ['ts', 'typescript', 'tsx']],
      [data, ['json']],
      [styles, ['css']],
    ] as const
  ).flatMap(([language, names]) => names.map((name) => [name, language.parser] as const)),
);

const markdownData = defineLanguageFacet();

const markdown = new CodeLanguage(
  markdownData,
  parser.configure([
    GFM,
    parseCode({
      codeParser: (info) => codeParsers.get(info.split(/\s/)[0]?.toLowerCase() ?? '') ?? null,
    }),
    {
      props: [
        languageDataProp.add({ Document: markdownData }),
        // What begins a line recedes; what is within one looks like the rest.
        styleTags({ EmphasisMark: tags.content, 'TableHeader/...': tags.content }),
      ],
    },
  ]),
  [],
  'markdown',
);

/** The CodeMirror languages. */
export const languages: Readonly<Record<Name, Extension>> = {
  markdown,
  html,
  css: styles,
  script: scripts,
  json: data,
  text: [],
};
