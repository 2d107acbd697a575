import { formatList } from '../../../../../browser/data/format.ts';
import { composerTexts as texts } from '../../../texts.ts';
import type { Chosen } from '../options.ts';

/** More names are counted. */
const mostNames = 3;

const listNames = (names: readonly string[]): string =>
  formatList(
    names.length > mostNames
      ? [...names.slice(0, mostNames - 1), texts.more(names.length - mostNames + 1)]
      : names,
  );

const describe = ({ audience, people }: Chosen): string => {
  if (audience === 'private') return texts.onlyYou;
  return audience === 'members' ? texts.members : listNames(people.map(({ name }) => name));
};

/** Those of a sealed share need its key, too. */
const describeSealed = (chosen: Chosen): string => {
  const { audience, hasPassphrase } = chosen;
  const who = audience === 'link' ? texts.whoChips.link : describe(chosen);
  if (who === '') return who;
  return texts.withWholeLink(audience === 'link' ? who : `${who},`, hasPassphrase);
};

/** Says who can open a share with these options. */
export const describeReaders = (chosen: Chosen): string => {
  const { audience, hasPassword, isSealed } = chosen;
  if (isSealed) return describeSealed(chosen);
  if (audience === 'link') return hasPassword ? texts.anyoneWithPassword : texts.anyone;
  const who = describe(chosen);
  const asksPassword = hasPassword && audience !== 'private' && who !== '';
  return asksPassword ? texts.withPassword(who) : who;
};
