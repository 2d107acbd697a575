import { getShareName } from '../../data/share-name.ts';
import { api } from '../api.ts';
import { may, signedIn } from '../session.ts';
import { dialogTexts } from './dialog-texts.ts';
import { findItems, type Group, type Item } from './palette-items.ts';

const texts = dialogTexts.palette;

/** The most records of each kind that the palette shows. */
const shown = 5;

/** The API can't search shares: the palette searches this many. */
const newest = 100;

/** The newest shares, in which the palette itself searches. */
let shares: Promise<readonly Item[]> | undefined;

const collect = async <Each, Found>(
  items: AsyncIterable<Each>,
  toItem: (item: Each) => Found,
): Promise<readonly Found[]> => {
  const all: Found[] = [];
  for await (const item of items) all.push(toItem(item));
  return all;
};

const loadShares = (): Promise<readonly Item[]> =>
  collect(
    api.items('GET /api/share', { query: { mine: 'true' }, maxItems: newest }),
    ({ id, title, language, url }) => ({
      id: `share ${id}`,
      label: getShareName({ title, language }),
      icon: language === 'markdown' ? 'doc' : 'code',
      path: url,
    }),
  );

/** Forgets the shares, so that the palette shows new ones when it is opened again. */
export const forgetShares = (): void => {
  shares = undefined;
};

const searchShares = async (query: string): Promise<readonly Item[]> => {
  shares ??= loadShares();
  return findItems(await shares, query).slice(0, shown);
};

const searchDocuments = (search: string, signal: AbortSignal): Promise<readonly Item[]> =>
  collect(
    api.items('GET /api/documents', { query: { search }, maxItems: shown, signal }),
    ({ id, title }) => ({
      id: `document ${id}`,
      label: title,
      icon: 'doc',
      path: `/documents/${id}`,
    }),
  );

const searchUsers = (search: string, signal: AbortSignal): Promise<readonly Item[]> =>
  collect(
    api.items('GET /api/users', { query: { search }, maxItems: shown, signal }),
    ({ id, name, email }) => ({
      id: `user ${id}`,
      label: name,
      about: email,
      icon: 'user',
      path: `/users?open=${id}`,
    }),
  );

/** Searches the user’s shares, documents and users, as far as the user may view them. @throws ApiError */
export const searchRecords = async (
  query: string,
  signal: AbortSignal,
): Promise<readonly Group[]> => {
  if (!signedIn) return [];
  const [own, documents, users] = await Promise.all([
    searchShares(query),
    may('documents:view') ? searchDocuments(query, signal) : [],
    may('users:view') ? searchUsers(query, signal) : [],
  ]);
  return [
    { label: texts.shares, items: own },
    { label: texts.documents, items: documents },
    { label: texts.users, items: users },
  ];
};
