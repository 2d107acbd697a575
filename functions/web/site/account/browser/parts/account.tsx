import type { JSX } from 'preact';
import { type Role, roleLabels } from '../../../../../../shared/permissions/permissions.ts';
import { Person } from '../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Tabs } from '../../../../browser/components/tabs.tsx';
import { signedIn } from '../../../../browser/shell/session.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { parseView, type Tab, tabs, toUrl } from '../../view.ts';
import { CheckIn } from './check-in.tsx';
import { NewToken } from './new-token.tsx';
import { Profile } from './profile.tsx';
import { Security } from './security.tsx';
import { Sessions } from './sessions.tsx';
import { url, user } from './state.ts';
import { Tokens } from './tokens.tsx';

const contents: Readonly<Record<Tab, () => JSX.Element>> = {
  profile: Profile,
  security: Security,
  sessions: Sessions,
  tokens: Tokens,
  'check-in': CheckIn,
};

const open = (href: string) =>
  url.change(parseView(new URL(href, location.href).searchParams), 'push');

/** The account of the user: who it is, and one part of it. */
export const Account = () => {
  const { tab, isCreating } = url.view.value;
  const shown = user.data.value ?? signedIn?.user;
  const Content = contents[tab];
  return (
    <div class={isCreating ? 'split' : ''}>
      <div class="pad account">
        {shown && (
          <div class="row wrap who">
            <Person name={shown.name} about={shown.email} size="l" />
            <Badge>{roleLabels[shown.role as Role]}</Badge>
          </div>
        )}
        <Tabs
          label={texts.parts}
          tabs={tabs.map((name) => ({
            href: toUrl({ tab: name, isCreating: false }),
            label: texts.tabs[name],
            isCurrent: name === tab,
          }))}
          onOpen={open}
        />
        <div class="parts">
          <Content />
        </div>
      </div>
      {isCreating && <NewToken />}
    </div>
  );
};
