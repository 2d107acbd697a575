import type { Item } from '../../../../browser/client/endpoints.ts';
import { Icon } from '../../../../browser/components/icon.tsx';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { copyShareLink, toKeptLink } from '../../../../browser/sealed/kept-link.ts';
import { sealedTexts } from '../../../../browser/sealed/texts.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { languageTexts, shareListTexts } from '../../../../browser/texts.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { numberText } from './formats.ts';
import { Section } from './section.tsx';
import { own } from './sources.ts';

type Share = Item<'GET /api/share'>;

const Badges = ({ share }: { readonly share: Share }) => {
  const { protected: isProtected, sealed, viewLimit, viewsLeft, expiresAt, status } = share;
  const state = shareListTexts.statuses[status];
  return (
    <>
      {state && <span class="badge">{state}</span>}
      {isProtected && (
        <span class="badge hide-s">
          <Icon name="lock" />
          {texts.protected}
        </span>
      )}
      {sealed && (
        <span class="badge hide-s">
          <Icon name="lock" />
          {sealedTexts.sealed}
        </span>
      )}
      {status === 'active' && viewLimit !== null && (
        <span class="badge hide-s">
          <Icon name="eye" />
          {texts.viewsLeft(viewsLeft ?? 0, viewLimit)}
        </span>
      )}
      {status === 'active' && expiresAt !== null && (
        <span class="badge warn hide-s">
          <Icon name="clock" />
          {texts.expires(
            new Date(expiresAt).toLocaleDateString(dateLanguage.read(), {
              day: 'numeric',
              month: 'short',
            }),
          )}
        </span>
      )}
    </>
  );
};

const Row = ({ share }: { readonly share: Share }) => {
  const name = getShareName(share);
  const { language, createdAt, views } = share;
  return (
    <li>
      <span class={`kind ${language === 'markdown' ? 'a' : 'b'}`}>
        <Icon name={language === 'markdown' ? 'doc' : 'code'} />
      </span>
      <a href={toKeptLink(share)} class="grow" title={name}>
        <span class="cut blk" dir="auto">
          {name}
        </span>
        <span class="tiny mute">
          {languageTexts[language]} · {formatAge(createdAt)}
        </span>
      </a>
      <Badges share={share} />
      <span class="small num sub hide-s">{texts.viewCount(numberText(views), views)}</span>
      <button
        type="button"
        class="btn ghost icon sm"
        aria-label={texts.copyLink(name)}
        onClick={() => copyShareLink(share, { done: texts.linkCopied, failed: texts.copyFailed })}
      >
        <Icon name="link" />
      </button>
    </li>
  );
};

/** The user's newest shares. */
export const RecentShares = () => (
  <Section
    id="shares"
    title={texts.recentShares}
    source={own.shares}
    lines={5}
    beside={
      <a class="btn ghost sm end" href="/shares">
        {texts.allShares}
      </a>
    }
  >
    {({ items }) =>
      items.length === 0 ? (
        <div class="empty">
          <p>{texts.noShares}</p>
          <a class="btn" href="/">
            <Icon name="plus" />
            {texts.createShare}
          </a>
        </div>
      ) : (
        <ul class="list">
          {items.map((share) => (
            <Row key={share.id} share={share} />
          ))}
        </ul>
      )
    }
  </Section>
);
