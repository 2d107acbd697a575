import { Html, html } from '../text/html.ts';
import { pattern } from '../text/pattern.ts';
import type { Email } from './mail.ts';

/** Content of an email: paragraphs of plain text around an optional button. */
export interface EmailContent {
  readonly to: string;
  readonly subject: string;
  /** Name that the user chose. Someone without an account isn’t greeted. */
  readonly name?: string;
  readonly before: readonly string[];
  /** The digits that the reader enters. */
  readonly code?: string;
  readonly action?: { readonly label: string; readonly url: string };
  readonly after: readonly string[];
  readonly signature: string;
}

/** Text that email clients turn into links. */
const linkLike = pattern(String.raw`://|@|www\.|[\p{L}\p{N}]{2}\.\p{L}{2}`, 'iu');

const controlsAndBlanks = pattern(String.raw`[\p{Cc}\p{Zl}\p{Zp}\s]+`, 'gu');

/** Returns whether an email client would turn part of this text into a link. */
export const isLinkLike = (text: string): boolean => linkLike().test(text);

/**
 * Creates the greeting. Omits a name that looks like a link, because anyone can register a stranger's address under any
 * name.
 */
const greet = (name: string): string => {
  const line = name.replace(controlsAndBlanks(), ' ').trim();
  return line === '' || isLinkLike(line) ? 'Hello,' : `Hello ${line},`;
};

/** The colors of the pages (`web/browser/styles/tokens.css`), in the six digits that all email clients read. */
const colors = {
  page: '#f4f4f2',
  card: '#ffffff',
  line: '#e8e7e3',
  ink: '#1b1b1f',
  quiet: '#55545a',
  accent: '#4350c8',
  link: '#3c48bd',
} as const;

// Colors are inline, because some email clients drop style sheets. Others use this one for dark mode.
const dark = new Html(`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #161618 !important; }
  .card { background: #1f1f23 !important; border-color: #3b3b42 !important; }
  .line { border-color: #3b3b42 !important; }
  .text, .code { color: #ededf0 !important; }
  .quiet { color: #b0b0b9 !important; }
  .link { color: #a9b2ff !important; }
}
`);

const table = new Html('role="presentation" cellpadding="0" cellspacing="0" border="0"');
const font = 'font-family:Inter,system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif';
const paragraph = `margin:0 0 14px;font-size:16px;line-height:1.6;color:${colors.ink};${font}`;
const small = `margin:0 0 14px;font-size:14px;line-height:1.6;color:${colors.quiet};${font}`;

/** The name of the service. Its sign is drawn by a cell, because email clients block or remove images. */
const brand = html`<table ${table} style="margin:0 0 24px"><tr>
<td aria-hidden="true" width="20" height="22" align="center" bgcolor="${colors.accent}" style="border-radius:4px;background:${colors.accent};color:#ffffff;font-size:14px;line-height:22px;${font}">≡</td>
<td class="text" style="padding-left:10px;font-size:15px;font-weight:600;color:${colors.ink};${font}">Handbill</td>
</tr></table>
`;

type Action = NonNullable<EmailContent['action']>;

const renderButton = ({ label, url }: Action): Html =>
  html`<table ${table} style="margin:24px 0">
<tr><td bgcolor="${colors.accent}" style="border-radius:6px;background:${colors.accent}"><a href="${url}" target="_blank" style="display:inline-block;padding:12px 20px;font-size:16px;line-height:1.5;font-weight:500;color:#ffffff;text-decoration:none;${font}">${label}</a></td></tr>
</table>
<p class="quiet" style="${small}">If the button doesn’t work, open this link:<br><a class="link" href="${url}" target="_blank" style="color:${colors.link};word-break:break-all">${url}</a></p>
`;

const renderAll = (texts: readonly string[], kind: 'text' | 'quiet'): readonly Html[] =>
  texts.map(
    (text) => html`<p class="${kind}" style="${kind === 'text' ? paragraph : small}">${text}</p>\n`,
  );

/** Renders a code so that it is selected as a whole, and no client takes it for a telephone number. */
const renderCode = (code: string): Html =>
  html`<table ${table} width="100%" style="margin:20px 0"><tr>
<td class="page code" align="center" bgcolor="${colors.page}" style="padding:14px 12px;border-radius:8px;background:${colors.page};font-size:28px;line-height:32px;font-weight:700;letter-spacing:6px;color:${colors.ink};font-family:ui-monospace,Menlo,Consolas,monospace">${code}</td>
</tr></table>
`;

const toHtml = (
  { subject, before, code, action, after, signature }: EmailContent,
  greeting: readonly string[],
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${dark}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${colors.page}">
<table ${table} class="page" width="100%" style="background:${colors.page}">
<tr><td align="center" style="padding:28px 12px;overflow-wrap:anywhere;word-break:break-word">
<table ${table} class="card" width="100%" style="max-width:576px;background:${colors.card};border:1px solid ${colors.line};border-radius:12px">
<tr><td align="left" style="padding:36px 28px 22px">
${brand}<h1 class="text" style="margin:0 0 12px;font-size:22px;line-height:1.3;letter-spacing:-0.02em;font-weight:600;color:${colors.ink};${font}">${subject}</h1>
${renderAll([...greeting, ...before], 'text')}${code === undefined ? '' : renderCode(code)}${action ? renderButton(action) : ''}${renderAll(after, action || code !== undefined ? 'quiet' : 'text')}<p class="quiet line" style="${small};margin-top:24px;padding-top:18px;border-top:1px solid ${colors.line}">${signature}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.markup;

const toText = (
  { before, code, action, after, signature }: EmailContent,
  greeting: readonly string[],
): string =>
  `${[...greeting, ...before, ...(code === undefined ? [] : [code]), ...(action ? [`${action.label}:\n${action.url}`] : []), ...after, `-- \n${signature}`].join('\n\n')}\n`;

/** Creates an email as plain text and as HTML that loads nothing from a server. */
export const compose = (letter: EmailContent): Email => {
  const greeting = letter.name === undefined ? [] : [greet(letter.name)];
  return {
    to: letter.to,
    subject: letter.subject,
    text: toText(letter, greeting),
    html: toHtml(letter, greeting),
  };
};
