import { readUsers } from '../../../../shared/users/person.ts';
import { getAudience } from '../../../api/share/record/audience.ts';
import { hasPassword, type StoredShare } from '../../../api/share/record/share.ts';
import { ownTexts as texts } from './texts.ts';

/** Names the people whom a share names: the first of them, unless the account was removed. Takes up to one trip. */
const describePeople = async (readers: readonly number[]): Promise<string> => {
  const [first] = readers;
  if (first === undefined) return texts.onlyYou;
  const name = (await readUsers([first])).get(first)?.name;
  return name === undefined ? texts.people(readers.length) : texts.named(name, readers.length - 1);
};

/** Says who can open a share, as far as the settings allow it. Takes up to one trip. */
export const describeReaders = async (share: StoredShare): Promise<string> => {
  const { readers = [] } = share;
  const takesPassword = hasPassword(share);
  const audience = getAudience(share);
  if (audience === 'private') return texts.onlyYou;
  if (audience === 'link') return takesPassword ? texts.anyoneWithPassword : texts.anyone;
  const who = audience === 'members' ? texts.everyone : await describePeople(readers);
  return takesPassword && who !== texts.onlyYou ? texts.withPassword(who) : who;
};
