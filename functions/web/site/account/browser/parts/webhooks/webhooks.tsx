import { useEffect } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Empty } from '../../../../../browser/components/empty.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { isPlainClick } from '../../../../../browser/components/tabs.tsx';
import { componentTexts } from '../../../../../browser/components/texts.ts';
import { guardWork } from '../../../../../browser/shell/unsaved.ts';
import { accountTexts } from '../../../account-texts.ts';
import { toUrl } from '../../../view.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { url } from '../state.ts';
import { listActions } from './actions.ts';
import { describeEvents, isAuditEvent } from './events.ts';
import { Secret } from './secret.tsx';
import {
  eventTypes,
  forgetSecret,
  isSecretLost,
  newSecret,
  openWebhook,
  shownWebhooks,
  type Webhook,
  webhooks,
} from './state.ts';
import { describeState, Status } from './status.tsx';
import './style.ts';

const guide = '/api/docs/webhooks';

const isMailOn = (): boolean => document.getElementById('account')?.dataset['mail'] === 'on';

const Row = ({ webhook }: { readonly webhook: Webhook }) => {
  const { id, url: address, label } = webhook;
  const { open } = url.view.value;
  const name = label ?? address;
  return (
    <li class="setrow" aria-current={open === id ? true : undefined}>
      <SetRow
        icon="hook"
        title={
          <a
            class="hook mono cut"
            href={toUrl({ tab: 'webhooks', isCreating: false, open: id })}
            title={address}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              openWebhook(id);
            }}
          >
            {address}
          </a>
        }
        about={
          <>
            {label !== null && (
              <>
                <bdi>{label}</bdi> ·{' '}
              </>
            )}
            {describeEvents(webhook)}
          </>
        }
      >
        <span class="tiny mute hide-s">{describeState(webhook)}</span>
        <Status status={webhook.status} />
        <Menu label={componentTexts.actionsFor(name)} items={listActions(webhook)} />
      </SetRow>
    </li>
  );
};

const add = () => url.change({ isCreating: true, open: undefined, part: undefined }, 'push');

/** The webhooks of the user, and the secret of one that is new. */
export const Webhooks = () => {
  useEffect(() => {
    void webhooks.load().then(() => {
      if (webhooks.data.value?.some(({ events }) => events.some(isAuditEvent))) {
        void eventTypes.load();
      }
    });
    const stop = guardWork({
      getName: () => texts.theSecret,
      isChanged: () => false,
      isLost: isSecretLost,
      discard: forgetSecret,
    });
    return () => {
      stop();
      forgetSecret();
    };
  }, []);
  const { isCreating, open } = url.view.value;
  const { id: idOfSecret } = newSecret.value ?? {};
  return (
    <>
      {idOfSecret !== undefined && !isCreating && open !== idOfSecret && <Secret />}
      <SetCard id="webhooks" title={texts.title} about={texts.about}>
        <Loaded source={webhooks} lines={3}>
          {() =>
            shownWebhooks.value?.length === 0 ? (
              <Empty
                title={texts.none}
                text={texts.noneAbout}
                action={<Button onClick={add}>{accountTexts.addWebhook}</Button>}
              />
            ) : (
              <ul>
                {shownWebhooks.value?.map((webhook) => (
                  <Row key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </SetCard>
      <p class="small mute">
        {texts.note(isMailOn())} <a href={guide}>{texts.checkSignature}</a>.
      </p>
    </>
  );
};
