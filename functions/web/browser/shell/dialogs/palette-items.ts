import type { Permission } from '../../../../../shared/permissions/permissions.ts';
import { containsWords } from '../../../../../shared/text/fold.ts';
import type { IconName } from '../../../layout/icons.ts';
import { type Entry, entries } from '../../../layout/shell/entries.ts';
import { may, signedIn } from '../session.ts';
import { openShellDialog } from '../shell-dialogs.ts';
import { chooseTheme, signOut } from '../user-menu.ts';
import { dialogTexts } from './dialog-texts.ts';

/** Something that the palette finds: a page to open, or an action to run. */
export interface Item {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** More about it, such as an email address. */
  readonly about?: string;
  /** Its shortcut: keys that are pressed one after the other. */
  readonly keys?: readonly string[];
  readonly path?: string;
  readonly run?: () => unknown;
}

/** Items below a heading. */
export interface Group {
  readonly label: string;
  readonly items: readonly Item[];
}

const texts = dialogTexts.actions;

type Offered = Omit<Item, 'id'> & {
  readonly permission?: Permission | undefined;
  readonly isPublic?: true | undefined;
};

const isOffered = ({ permission, isPublic }: Offered): boolean =>
  isPublic === true || (signedIn !== undefined && may(permission));

const toItem = ({ permission: _, isPublic: __, ...item }: Offered): Item => ({
  ...item,
  id: `${item.path ?? ''} ${item.label}`,
});

const actions: readonly Offered[] = [
  { label: texts.share, icon: 'plus', path: '/', keys: ['C'], isPublic: true },
  { label: texts.event, icon: 'cal', path: '/calendar?new', permission: 'calendar:create' },
  { label: texts.message, icon: 'chat', path: '/messages?new', permission: 'messages:create' },
  { label: texts.document, icon: 'doc', path: '/documents/new', permission: 'documents:create' },
  { label: texts.upload, icon: 'upload', path: '/files?upload', permission: 'files:create' },
  { label: texts.invite, icon: 'users', path: '/users?new', permission: 'users:create' },
  { label: texts.light, icon: 'sun', run: () => chooseTheme('light'), isPublic: true },
  { label: texts.dark, icon: 'moon', run: () => chooseTheme('dark'), isPublic: true },
  { label: texts.system, icon: 'screen', run: () => chooseTheme('system'), isPublic: true },
  {
    label: texts.keys,
    icon: 'key',
    run: () => openShellDialog('keys'),
    keys: ['?'],
    isPublic: true,
  },
  { label: texts.signOut, icon: 'out', run: signOut },
];

const allEntries: readonly Entry[] = [...entries.main, ...entries.administration];

const pages: readonly Offered[] = [
  ...allEntries.map(({ path, label, icon, permission, isPublic, key }) => ({
    path,
    label,
    icon,
    permission,
    isPublic,
    ...(key !== undefined && { keys: ['G', key.toUpperCase()] }),
  })),
  { label: texts.notifications, icon: 'bell', path: '/notifications' },
  { label: texts.account, icon: 'user', path: '/account' },
  { label: texts.docs, icon: 'code', path: '/api/docs', isPublic: true },
];

/** How many actions the palette shows before the user types. */
const firstActions = 4;

/** Returns the items whose label contains all words of a query. */
export const findItems = (items: readonly Item[], query: string): readonly Item[] =>
  items.filter(({ label, about = '' }) => containsWords(`${label} ${about}`, query));

/** Returns the actions and pages that match a query, as groups. */
export const findCommands = (query: string): readonly Group[] => {
  const [does, opens] = [actions, pages].map((all) =>
    findItems(all.filter(isOffered).map(toItem), query),
  );
  return [
    {
      label: dialogTexts.palette.actions,
      items: (query === '' ? does?.slice(0, firstActions) : does) ?? [],
    },
    { label: dialogTexts.palette.pages, items: opens ?? [] },
  ];
};
