import { Html, html } from '../text/html.ts';
import { pattern } from '../text/pattern.ts';
import type { Email } from './mail.ts';

/** Content of an email: paragraphs of plain text around an optional button. */
export interface EmailContent {
  readonly to: string;
  readonly subject: string;
  /** Name that the user chose. */
  readonly name: string;
  readonly before: readonly string[];
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

// Colors are inline, because some email clients drop style sheets. Others use this one for dark mode.
const dark = new Html(`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #15171a !important; }
  .card { background: #1d2024 !important; border-color: #343a41 !important; }
  .text { color: #e6e7e9 !important; }
  .quiet { color: #9aa3ae !important; }
  .link { color: #8ab4ff !important; }
}
`);

const font = 'font-family:system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif';
const paragraph = `margin:0 0 16px;font-size:16px;line-height:1.6;color:#1c1e21;${font}`;
const small = `margin:0 auto;max-width:544px;font-size:14px;line-height:1.6;color:#5d6570;${font}`;

type Action = NonNullable<EmailContent['action']>;

const renderButton = ({ label, url }: Action): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td bgcolor="#1d4ed8" style="border-radius:8px;background:#1d4ed8"><a href="${url}" target="_blank" style="display:inline-block;padding:12px 20px;font-size:16px;line-height:1.4;font-weight:600;color:#ffffff;text-decoration:none;${font}">${label}</a></td></tr>
</table>
`;

const renderFallback = ({ url }: Action): Html =>
  html`<p class="quiet" style="${small}">If the button doesn’t work, open this link:<br><a class="link" href="${url}" target="_blank" style="color:#1d4ed8;word-break:break-all">${url}</a></p>
`;

const toHtml = (
  { subject, before, action, after, signature }: EmailContent,
  greeting: string,
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${dark}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#fbfbfa">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#fbfbfa">
<tr><td align="center" style="padding:24px 12px;overflow-wrap:anywhere;word-break:break-word">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:544px;background:#ffffff;border:1px solid #dfe2e6;border-radius:12px">
<tr><td align="left" style="padding:28px 24px">
<h1 class="text" style="margin:0 0 20px;font-size:22px;line-height:1.3;color:#1c1e21;${font}">${subject}</h1>
${[greeting, ...before].map((text) => html`<p class="text" style="${paragraph}">${text}</p>\n`)}
${action ? renderButton(action) : ''}${after.map((text) => html`<p class="text" style="${paragraph}">${text}</p>\n`)}
${action ? renderFallback(action) : ''}</td></tr>
</table>
<p class="quiet" style="${small};padding-top:16px">${signature}</p>
</td></tr>
</table>
</body>
</html>
`.markup;

const toText = ({ before, action, after, signature }: EmailContent, greeting: string): string =>
  `${[greeting, ...before, ...(action ? [`${action.label}:\n${action.url}`] : []), ...after, `-- \n${signature}`].join('\n\n')}\n`;

/** Creates an email as plain text and as HTML that loads nothing from a server. */
export const compose = (letter: EmailContent): Email => {
  const greeting = greet(letter.name);
  return {
    to: letter.to,
    subject: letter.subject,
    text: toText(letter, greeting),
    html: toHtml(letter, greeting),
  };
};
