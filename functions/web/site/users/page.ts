import { asksToVerify } from '../../../../shared/auth/verification.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { html } from '../../../../shared/text/html.ts';
import type { PageSession } from '../../layout/session.ts';
import { icon } from '../../layout/shell/parts.ts';
import type { ShellPage } from '../../layout/shell/shell.ts';
import { importTexts } from './import-texts.ts';
import { usersTexts as texts } from './texts.ts';

/** Renders the page of users, which its script fills. */
export const usersPage = (session: PageSession): ShellPage => {
  const mayCreate = session.state === 'signed-in' && can(session.permissions, 'users:create');
  return {
    title: texts.title,
    path: '/users',
    ...(mayCreate && {
      actions: html`<a class="btn" id="import-users" href="/users?import=csv" aria-label="${importTexts.importFile}">${icon('upload')}<span class="word">${importTexts.importFile}</span></a><a class="btn primary" id="new-user" href="/users?new=user" aria-label="${texts.newUser}">${icon('plus')}<span class="word">${texts.newUser}</span></a>`,
    }),
    styles: ['users.css'],
    script: 'users.js',
    main: html`<div id="users" data-mail="${isMailOn() ? 'on' : 'off'}" data-verification="${asksToVerify() ? 'on' : 'off'}"></div>`,
  };
};
