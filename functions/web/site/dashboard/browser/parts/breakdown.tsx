import { dashboardTexts as texts } from '../../texts.ts';
import { mergeSmallParts } from '../../view.ts';
import { moneyText, numberText, percentText } from './formats.ts';
import { Nothing } from './section.tsx';

/** The maximum number of bars, besides the one of all others. */
const mostParts = 8;

interface BreakdownProps {
  readonly by: string;
  readonly slices: readonly { readonly name: string; readonly value: number }[];
}

const getContentName = (name: string): string =>
  (texts.contents as Readonly<Record<string, string>>)[name] ?? name;

/** The parts of a whole, as bars with text. */
export const Breakdown = ({ by, slices }: BreakdownProps) => {
  const isMoney = by === 'category';
  const toText = isMoney ? moneyText : numberText;
  const { parts, others } = mergeSmallParts(slices, mostParts);
  if (!parts.some(({ value }) => value > 0)) {
    return <Nothing>{isMoney ? texts.noCategories : texts.noContents}</Nothing>;
  }
  const named = parts.map((part) => ({
    ...part,
    name: isMoney ? part.name : getContentName(part.name),
  }));
  const rest = { ...others, name: texts.others(numberText(others.count)) };
  const all = others.count > 0 ? [...named, rest] : named;
  const longest = Math.max(...all.map(({ share }) => share));
  return (
    <ul class="parts in-card">
      {all.map(({ name, value, share }) => (
        <li key={name}>
          <div>
            <span class="cut" dir="auto" title={name}>
              {name}
            </span>
            <span class="num sub">
              {toText(value)} · {percentText(share)}
            </span>
          </div>
          <progress aria-label={name} value={Math.max(share, 0)} max={longest} />
        </li>
      ))}
    </ul>
  );
};
