import { useSignal } from '@preact/signals';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { describeRule } from '../../rule/sentence.ts';
import { ruleTexts } from '../../rule/texts.ts';
import { toLocal, writeDate } from '../../time/local.ts';
import { formatTime } from '../parts/formats.ts';
import { language } from '../parts/state.ts';
import type { CalendarEvent } from './record.ts';
import { eventTexts as texts } from './texts.ts';
import { describeTimes } from './times.ts';

/** Which events of a recurring one are meant. */
export type Scope = 'this' | 'all';

interface Question {
  /** What is done, with the title of the event: `Decline “Print review”`. */
  readonly title: string;
  /** The label of the button that does it. */
  readonly action: string;
  /** The event, with the times of the one in question. */
  readonly event: Pick<CalendarEvent, 'start' | 'end' | 'allDay' | 'timezone' | 'rrule'>;
  /** When the rule starts it. */
  readonly occurrenceStart: string;
}

/** Says when this event is, and how all of them recur. */
const describe = ({ event, occurrenceStart }: Question): Readonly<Record<Scope, string>> => {
  const { start, allDay, timezone: zone, rrule } = event;
  const { day } = describeTimes(event);
  const first = writeDate(toLocal(occurrenceStart, zone));
  return {
    this: allDay ? day : texts.dayAt(day, formatTime(start)),
    all: describeRule(rrule ?? '', { start: first, zone, language }) ?? ruleTexts.own,
  };
};

interface ScopeDialogProps {
  readonly question: Question;
  readonly onAnswer: (scope: Scope | undefined) => unknown;
}

const ScopeDialog = ({ question, onAnswer }: ScopeDialogProps) => {
  const scope = useSignal<Scope>('this');
  const about = describe(question);
  const submit = (event: Event) => {
    event.preventDefault();
    onAnswer(scope.value);
  };
  return (
    <Dialog title={question.title} onClose={() => onAnswer(undefined)}>
      <form onSubmit={submit}>
        <fieldset class="radio-cards">
          <legend class="vh">{texts.which}</legend>
          {(['this', 'all'] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="scope"
                checked={scope.value === one}
                autofocus={one === 'this'}
                onChange={() => {
                  scope.value = one;
                }}
              />
              {texts.scopes[one]}
              <span>{about[one]}</span>
            </label>
          ))}
        </fieldset>
        <div class="acts">
          <Button kind="ghost" onClick={() => onAnswer(undefined)}>
            {texts.cancel}
          </Button>
          <Button kind="primary" type="submit">
            {question.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/** Asks which events of a recurring one are meant: this one at first. Returns `undefined` if the question is dismissed. */
export const askScope = (question: Question): Promise<Scope | undefined> =>
  new Promise((resolve) => {
    openDialog((close) => (
      <ScopeDialog
        question={question}
        onAnswer={(scope) => {
          close();
          resolve(scope);
        }}
      />
    ));
  });
