import { type Html, html } from '../../../../shared/text/html.ts';
import { codeInput } from '../gate/code-input.ts';
import { seal } from '../gate/seal.ts';
import { waysTexts as texts } from './ways-texts.ts';

/** The view of the code that was sent by email, which a script shows in place of the form that asked for it. */
export const emailCodeView: Html = html`<template id="email-code"><div class="at-gate">
${seal('mail')}<h1>${texts.checkEmail}</h1>
<p>${texts.sentBefore}<strong dir="auto" data-email></strong>${texts.sentAfter}</p>
<form method="post" novalidate>
<div class="field"><label for="email-code-field">${texts.code}</label>
${codeInput({ id: 'email-code-field', describedBy: 'email-code-hint email-code-error' })}
<p class="hint" id="email-code-hint">${texts.codeHint}</p>
<p class="err" id="email-code-error" role="alert"></p></div>
<button type="submit" class="btn primary lg wide">${texts.signIn}</button>
</form>
<p class="foot-l"><span data-nothing>${texts.nothing}</span> <button type="button" data-again>${texts.sendAgain}</button> <span data-wait></span></p>
<p class="note" data-done role="status" hidden></p>
<p class="foot-l"><button type="button" data-back>${texts.otherWay}</button></p>
</div></template>
`;
