import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Drawer } from '../../../../../browser/components/drawer.tsx';
import { Icon } from '../../../../../browser/components/icon.tsx';
import { lazily } from '../../../../../browser/components/lazily.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { Tabs } from '../../../../../browser/components/tabs.tsx';
import { getShareName } from '../../../../../browser/data/share-name.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { toKeptLink } from '../../../../../browser/sealed/kept-link.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import { sharesTexts } from '../../../texts.ts';
import { type TabName, tabs, toUrl } from '../../../view.ts';
import { copyLink, listActions } from '../actions.ts';
import { findShare, opened, type Share, url } from '../state.ts';
import { Details } from './details.tsx';
import { listReaders, readShare } from './readers.ts';
import { Views } from './views.tsx';

const People = lazily(async () => (await import('./people.tsx')).People);
const Links = lazily(async () => (await import('./links.tsx')).Links);

const contents = { details: Details, people: People, links: Links, views: Views } as const;

const close = () => url.close({ open: undefined, tab: 'details' });

/** What a drawer of the same share has already, or leaves to its own tabs. */
const ofDrawer: readonly string[] = [
  sharesTexts.open,
  sharesTexts.copyLink,
  sharesTexts.edit,
  ...Object.values(sharesTexts.tabs),
];

const Footer = ({ share }: { readonly share: Share }) => {
  const { id, status } = share;
  const rest = listActions(share).filter(({ label }) => !ofDrawer.includes(label));
  return (
    <>
      <a class="btn primary" href={toKeptLink(share)}>
        <Icon name="open" />
        {texts.openPage}
      </a>
      {status === 'active' && (
        <a class="btn" href={toKeptLink(share, `/?edit=${id}`)}>
          <Icon name="pen" />
          {texts.edit}
        </a>
      )}
      <span class="end">
        <Menu label={texts.more} items={rest} isLarge />
      </span>
    </>
  );
};

const countOf = (share: Share, tab: TabName): number | undefined => {
  if (tab !== 'people' || share.audience !== 'people') return undefined;
  return listReaders(share).length || undefined;
};

const Parts = ({ share }: { readonly share: Share }) => {
  const { view } = url;
  return (
    <Tabs
      label={texts.share}
      tabs={tabs.map((tab) => ({
        href: toUrl({ ...view.value, tab }),
        label: sharesTexts.tabs[tab],
        count: countOf(share, tab),
        isCurrent: tab === view.value.tab,
      }))}
      onOpen={(href) => {
        const tab = tabs.find((one) => href === toUrl({ ...view.value, tab: one }));
        if (tab) url.change({ tab });
      }}
    />
  );
};

/** Shows a share beside the list: what it is, who can open it, its links and its views. */
export const ShareDrawer = ({ id }: { readonly id: string }) => {
  const share = findShare(id);
  const { tab } = url.view.value;
  const source = useMemo(
    () =>
      createSource(async () => {
        opened.value = await readShare(id);
      }),
    [id],
  );
  useEffect(() => {
    // It stays open although the list may show others.
    if (share) opened.value = share;
    else void source.load();
  }, [id]);
  if (!share) {
    return (
      <Drawer title={texts.share} onClose={close}>
        <Loaded source={source} lines={6}>
          {() => null}
        </Loaded>
      </Drawer>
    );
  }
  const Content = contents[tab];
  return (
    <Drawer
      title={getShareName(share)}
      actions={
        share.status === 'active' && (
          <Button
            kind="ghost"
            size="sm"
            icon="link"
            label={sharesTexts.copyLink}
            onClick={() => copyLink(share)}
          />
        )
      }
      tabs={<Parts share={share} />}
      footer={tab === 'details' && <Footer share={share} />}
      onClose={close}
    >
      <Content key={tab} share={share} />
    </Drawer>
  );
};
