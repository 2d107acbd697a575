import { Button } from '../../../../browser/components/button.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { calendarTexts as texts } from '../../texts.ts';
import { modes, toUrl } from '../../view.ts';
import { formatPeriod, zoneName } from './formats.ts';
import { move } from './moving.ts';
import { date, url, view } from './state.ts';

/** Moves through the periods, and chooses how they are shown. */
export const Toolbar = () => {
  const { mode } = view.value;
  const { main, rest } = formatPeriod(date.value);
  return (
    <div class="cal-tools">
      <Button size="sm" onClick={() => url.change({ date: undefined })}>
        {texts.today}
      </Button>
      <span class="row">
        <Button
          kind="ghost"
          size="sm"
          icon="left"
          label={texts.before[mode]}
          onClick={() => move(-1)}
        />
        <Button
          kind="ghost"
          size="sm"
          icon="right"
          label={texts.after[mode]}
          onClick={() => move(1)}
        />
      </span>
      <h2 aria-live="polite">
        {main} <span>{rest}</span>
      </h2>
      <span class="mute tiny end zone">{zoneName}</span>
      <nav class="seg" aria-label={texts.views}>
        {modes.map((one) => (
          <a
            key={one}
            href={toUrl({ ...view.value, mode: one })}
            aria-current={one === mode ? 'page' : undefined}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              url.change({ mode: one }, 'push');
            }}
          >
            {texts.modes[one]}
          </a>
        ))}
      </nav>
      <select
        class="in"
        aria-label={texts.views}
        value={mode}
        onChange={({ currentTarget }) =>
          url.change({ mode: currentTarget.value as typeof mode }, 'push')
        }
      >
        {modes.map((one) => (
          <option key={one} value={one}>
            {texts.modes[one]}
          </option>
        ))}
      </select>
    </div>
  );
};
