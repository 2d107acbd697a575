import { formatNumber } from '../data/format.ts';
import { fileTexts as texts } from './texts.ts';

const maxShown = 100;

/** What is wrong with a field of a line. */
export interface Problem {
  readonly line: number;
  /** What the field is called; without one, it is the line. */
  readonly field: string | undefined;
  readonly message: string;
  /** What the field has now. */
  readonly text: string | undefined;
}

/** What is wrong with the lines of a file. */
export const ProblemTable = ({ problems }: { readonly problems: readonly Problem[] }) => {
  if (problems.length === 0) return null;
  return (
    <section>
      <h3>{texts.errors}</h3>
      <table class="table keep problems">
        <thead>
          <tr>
            <th scope="col">{texts.line}</th>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.fix}</th>
          </tr>
        </thead>
        <tbody>
          {problems.slice(0, maxShown).map(({ line, field, message, text }) => (
            <tr key={`${line} ${field}`}>
              <td class="num">{formatNumber(line)}</td>
              <td>{field}</td>
              <td>
                {message}
                {text !== undefined && <span class="tiny mute blk">{texts.value(text)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problems.length > maxShown && (
        <p class="hint">{texts.moreErrors(formatNumber(problems.length - maxShown))}</p>
      )}
    </section>
  );
};
