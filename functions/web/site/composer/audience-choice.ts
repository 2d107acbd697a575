import { type Audience, audiences, isWider } from '../../../../shared/permissions/audiences.ts';
import { Html, html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import { audienceIcons } from './audience-icons.ts';
import { composerMarkupTexts as texts } from './markup-texts.ts';
import { composerTexts as scriptTexts } from './texts.ts';

const labels: Readonly<Record<Audience, string>> = {
  ...scriptTexts.whoChips,
  link: scriptTexts.anyone,
  people: texts.people,
};

const widestFirst = audiences.toReversed();

/** Returns why the user can't choose an audience; `undefined` if they can. What visitors read stands below all. */
const explain = (audience: Audience, session: PageSession): string | undefined => {
  if (session.state !== 'signed-in') return audience === 'link' ? undefined : '';
  if (isWider(audience, session.audience.max)) return texts.tooWide;
  if (audience === 'members' && !session.audience.membersKnown) return texts.strangers;
  return audience === 'people' && session.directory === 'off' ? texts.noDirectory : undefined;
};

/** Returns the audience of a new share at first. That of visitors is known once they sign in. */
export const findFirstAudience = (session: PageSession): Audience | undefined => {
  if (session.state !== 'signed-in') return undefined;
  const { default: preset } = session.audience;
  return explain(preset, session) === undefined ? preset : 'private';
};

const disabled = new Html(' disabled');
const checked = new Html(' checked');

const choice = (audience: Audience, isChecked: boolean, whyNot: string | undefined): Html => {
  const line = whyNot || (audience === 'members' ? scriptTexts.members : undefined);
  const id = `who-${audience}`;
  return html`<label for="${id}">${icon(audienceIcons[audience])}<span>${labels[audience]}${line && html`<small class="blk">${line}</small>`}</span><input type="radio" id="${id}" name="who" value="${audience}"${isChecked ? checked : undefined}${whyNot === undefined ? undefined : disabled}></label>${audience === 'people' ? html`<div id="people"></div>` : undefined}`;
};

/** Lets the author choose who can open the share. The script keeps the choice in the hidden fields, as that of a draft. */
export const audienceChoice = (session: PageSession): Html => {
  const first = findFirstAudience(session);
  const rows = widestFirst.map((one) =>
    choice(one, one === (first ?? 'link'), explain(one, session)),
  );
  return html`<fieldset class="aud"><legend>${texts.who}</legend><input type="hidden" id="share-audience" name="audience" value="${first}"><input type="hidden" id="share-readers" name="readers">
${rows}${session.state === 'signed-in' ? undefined : html`<p class="hint">${texts.signInToChoose}</p>`}<p class="err" id="share-audience-wrong" role="alert"></p></fieldset>`;
};
