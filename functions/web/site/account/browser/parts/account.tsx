import type { JSX } from 'preact';
import { Person } from '../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../browser/components/badge.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Tabs } from '../../../../browser/components/tabs.tsx';
import { signedIn } from '../../../../browser/shell/session.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { parseView, type Tab, tabs, toUrl } from '../../view.ts';
import { Profile } from './profile.tsx';
import { url, user } from './state.ts';

// Loaded when they are opened.
const Assistants = lazily(async () => (await import('./assistants/assistants.tsx')).Assistants);
const CheckIn = lazily(async () => (await import('./check-in.tsx')).CheckIn);
const Security = lazily(async () => (await import('./security/security.tsx')).Security);
const Tokens = lazily(async () => (await import('./tokens.tsx')).Tokens);
const NewToken = lazily(async () => (await import('./new-token.tsx')).NewToken);
const Webhooks = lazily(async () => (await import('./webhooks/webhooks.tsx')).Webhooks);
const NewWebhook = lazily(async () => (await import('./webhooks/new-webhook.tsx')).NewWebhook);
const WebhookDrawer = lazily(
  async () => (await import('./webhooks/webhook-drawer.tsx')).WebhookDrawer,
);

const contents: Readonly<Record<Tab, (props: object) => JSX.Element | null>> = {
  profile: Profile,
  security: Security,
  tokens: Tokens,
  assistants: Assistants,
  webhooks: Webhooks,
  'check-in': CheckIn,
};

const open = (href: string) =>
  url.change(parseView(new URL(href, location.href).searchParams), 'push');

/** The account of the user: who it is, and one part of it. */
export const Account = () => {
  const { tab, isCreating, open: openRecord } = url.view.value;
  const isSplit = isCreating || openRecord !== undefined;
  const shown = user.data.value ?? signedIn?.user;
  const Content = contents[tab];
  return (
    <div class={isSplit ? 'split' : ''}>
      <div class="pad account">
        {shown && (
          <div class="row wrap who">
            <Person name={shown.name} about={shown.email} size="l" />
            {signedIn && <Badge>{signedIn.user.roleLabel}</Badge>}
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
      {isCreating && (tab === 'webhooks' ? <NewWebhook /> : <NewToken />)}
      {openRecord !== undefined && <WebhookDrawer />}
    </div>
  );
};
