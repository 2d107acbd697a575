import type { Audience } from '../../../../shared/permissions/audiences.ts';
import { Html, html } from '../../../../shared/text/html.ts';
import type { OptionName } from '../../../api/share/record/options.ts';
import { formatButtons } from '../../browser/editor/format-buttons.ts';
import { languageTexts } from '../../browser/texts.ts';
import { assetPath } from '../../layout/asset.ts';
import { nameShortcut } from '../../layout/command-key.ts';
import type { IconName } from '../../layout/icons.ts';
import { linkCard } from '../../layout/link-card.ts';
import { previewData } from '../../layout/preview-data.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { findFirstAudience } from './audience-choice.ts';
import { audienceIcons } from './audience-icons.ts';
import { getLabel, toAttributes } from './control.ts';
import { composerMarkupTexts as texts } from './markup-texts.ts';
import { optionsPopover } from './options-popover.ts';
import { composerTexts as scriptTexts } from './texts.ts';

const formats = formatButtons.map(
  ({ name, label, icon: image }) =>
    html`<button type="button" class="btn ghost icon sm" data-format="${name}" aria-label="${label}" title="${label}">${icon(image)}</button>`,
);

const toggle = (id: string, label: string, image: IconName, isPressed: boolean, more = ''): Html =>
  html`<button type="button" class="btn ghost icon sm${more}" id="${id}" aria-pressed="${String(isPressed)}" aria-label="${label}" title="${label}">${icon(image)}</button>`;

const tools = html`<div class="ed-tools" id="tools" role="toolbar" aria-label="${texts.tools}"><span class="seg" role="group" aria-label="${texts.language}"><button type="button" id="markdown" aria-pressed="true">${languageTexts.markdown}</button><button type="button" id="html" aria-pressed="false">${languageTexts.html}</button></span><input type="hidden" id="share-language" name="language" value="markdown"><span class="v"></span>${formats}<span class="grow"></span><span class="tiny mute num hide-s" id="size"></span><span class="v hide-s"></span>${toggle('split', texts.split, 'cols', true, ' hide-s')}${toggle('full', texts.full, 'full', false)}</div>`;

const panes = (previewUrl: string): Html => html`<div class="panes">
<div class="src"><label class="vh" for="share-content">${scriptTexts.content}</label><textarea id="share-content" name="content" placeholder="${texts.placeholder}" autocomplete="off" aria-describedby="share-content-wrong"></textarea></div>
<section class="preview" id="preview" aria-label="${texts.preview}" tabindex="0"${previewData(previewUrl)}><p class="mute">${scriptTexts.nothingToShow}</p></section>
</div>`;

const bare = (name: OptionName, placeholder: string, kind: string): Html =>
  html`<div><label class="vh" for="share-${name}">${getLabel(name)}</label><input class="bare ${kind}"${toAttributes(name)} placeholder="${placeholder}" dir="auto"><p class="err" id="share-${name}-wrong" role="alert"></p></div>`;

const chip = (id: string, image: IconName, text: string, more = ''): Html =>
  html`<button type="button" class="setting${more}" id="${id}" popovertarget="options">${icon(image)}<span id="${id}-text">${text}</span></button>`;

const whoChip = (audience: Audience): Html =>
  chip(
    'chip-who',
    audienceIcons[audience],
    audience === 'people' ? scriptTexts.people(0) : scriptTexts.whoChips[audience],
    ' on',
  );

const shareBar = (
  audience: Audience,
  isEdit: boolean,
  onApple: boolean,
): Html => html`<div class="share-bar">
${whoChip(audience)}${chip('chip-password', 'lock', scriptTexts.noPasswordChip, ' shared-only')}${chip('chip-expiry', 'clock', scriptTexts.noExpiry, ' hide-s')}${chip('chip-views', 'eye', scriptTexts.noViewLimit, ' hide-s')}
<span class="end cut mute tiny hide-s" id="readers">${scriptTexts.anyone}</span>
<span class="end row tiny" id="sending" hidden><progress id="progress" max="100" aria-label="${texts.progress}"></progress><span class="num" id="percent"></span></span>
<button type="submit" class="btn primary lg" id="send" aria-keyshortcuts="Control+Enter Meta+Enter">${isEdit ? texts.save : scriptTexts.share}<kbd class="hide-s" aria-hidden="true">${nameShortcut('↵', onApple)}</kbd></button>
</div>`;

const hidden = new Html(' hidden');

const addFiles = (more = ''): Html =>
  html`<button type="button"${new Html(more)} data-opens="file">${icon('zip')}${texts.addFiles}</button>`;

const actions = (isEdit: boolean): Html =>
  html`${addFiles(' class="btn ghost hide-s"')}<button type="button" class="btn ghost icon only-s" id="show-preview" aria-pressed="false" aria-label="${texts.preview}" title="${texts.preview}">${icon('eye')}</button><button type="button" class="btn ghost icon" popovertarget="composer-menu" aria-label="${texts.more}">${icon('dots')}</button><div popover id="composer-menu" class="menu">${addFiles()}<button type="button" data-opens="folder">${icon('folder')}${texts.addFolder}</button><button type="button" id="discard" disabled>${icon('trash')}${isEdit ? texts.revert : texts.discard}</button></div>`;

/**
 * The page to write and share a snippet, to edit one or to duplicate it. `previewUrl` is the page on the snippets' host
 * that shows HTML.
 */
export const composerPage = (
  previewUrl: string,
  session: PageSession,
  { isEdit, isCopy, onApple }: Readonly<Record<'isEdit' | 'isCopy' | 'onApple', boolean>>,
): ShellPage => {
  const audience = findFirstAudience(session) ?? 'link';
  return {
    title: isEdit ? texts.editTitle : texts.pageTitle,
    path: '/',
    head: session.state === 'signed-in' ? undefined : linkCard(),
    besideTitle: html` <span class="badge hide-s" id="kept" hidden>${texts.kept}</span>`,
    actions: actions(isEdit),
    inlineStyle: 'composer.css',
    script: 'composer.js',
    main: html`<section class="empty" id="instead" hidden><h2 id="instead-text" tabindex="-1"></h2><p><a class="btn" href="/shares">${texts.back}</a></p></section>
<form class="compose" id="composer" data-view="split" data-audience="${audience}" method="post" autocomplete="off" novalidate${isEdit || isCopy ? hidden : undefined}>
${session.state === 'signed-in' ? undefined : html`<p class="note about">${texts.visitor} <a class="btn sm" href="/login?next=/">${texts.signIn}</a></p>`}
<div class="notices" id="notices" role="status"></div>
<div class="heads">${bare('title', texts.addTitle, 't')}${bare('description', texts.addDescription, 'd')}<p class="hint if-sealed" id="not-secret">${texts.notSecret}</p></div>
${tools}
${panes(previewUrl)}
<div class="notices" role="alert"><div id="failure"></div><p class="err" id="share-content-wrong"></p></div>
${shareBar(audience, isEdit, onApple)}
${optionsPopover(session)}
<input type="hidden" id="share-fileTitle" name="fileTitle"><input type="hidden" id="share-files" name="files" data-files-worker="${assetPath('files-worker.js')}"><input class="vh" id="file" type="file" multiple tabindex="-1" aria-label="${texts.addFiles}">
</form>
<div id="unseal"></div>
<div id="sheet"></div>`,
  };
};
