import { Button } from '../components/button.tsx';
import { recordTexts as texts } from './texts.ts';

/** Returns only what differs, so that nothing else is overwritten. */
export const findChanges = <Values extends object>(
  values: Values,
  before: Values,
): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Values]),
    ),
  ) as Partial<Values>;

const toText = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');

interface ConflictProps<Values> {
  /** What happened. */
  readonly text: string;
  readonly labels: Readonly<Record<keyof Values, string>>;
  readonly mine: Partial<Values>;
  readonly theirs: Values;
  readonly keepMine: () => unknown;
  readonly keepTheirs: () => unknown;
}

/** Shows both versions of what two people changed. */
export const Conflict = <Values extends object>(props: ConflictProps<Values>) => {
  const { text, labels, mine, theirs, keepMine, keepTheirs } = props;
  return (
    <div class="note warn conflict" role="alert">
      <div class="grow">
        <p>{text}</p>
        <ul>
          {(Object.keys(mine) as (keyof Values & string)[]).map((name) => (
            <li key={name}>
              {texts.conflictField(labels[name], toText(mine[name]), toText(theirs[name]))}
            </li>
          ))}
        </ul>
        <p class="row mt0">
          <Button size="sm" onClick={keepMine}>
            {texts.keepMine}
          </Button>
          <Button size="sm" onClick={keepTheirs}>
            {texts.keepTheirs}
          </Button>
        </p>
      </div>
    </div>
  );
};
