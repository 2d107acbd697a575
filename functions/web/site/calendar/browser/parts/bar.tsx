import type { Placed } from '../../layout/lanes.ts';
import { EventChip } from './event-chip.tsx';
import type { Occurrence } from './state.ts';

type Lanes = readonly (Placed<Occurrence> | undefined)[];

interface BarsProps {
  readonly day: string;
  /** The days beside each other. */
  readonly row: readonly string[];
  /** The lanes by day. */
  readonly lanes: ReadonlyMap<string, Lanes>;
  /** How many lanes of a day are shown; by default, all. */
  readonly countShown?: (day: string) => number;
}

/** The bars of a day. One of several days is drawn over all of them in its row, by the first. */
export const Bars = ({ day, row, lanes, countShown = () => Infinity }: BarsProps) => {
  const at = row.indexOf(day);
  const isOn = (other: string | undefined, lane: number, bar: Placed<Occurrence>): boolean =>
    other !== undefined && lane < countShown(other) && lanes.get(other)?.[lane] === bar;
  return (
    <>
      {lanes
        .get(day)
        ?.slice(0, countShown(day))
        .map((bar, lane) => {
          if (!bar) return <span key={lane} class="ev gap" />;
          if (isOn(row[at - 1], lane, bar)) {
            return (
              <span key={lane} class="ev rest">
                <span class="vh">{bar.event.title}</span>
              </span>
            );
          }
          const end = row.findIndex((other, index) => index > at && !isOn(other, lane, bar));
          return (
            <EventChip
              key={lane}
              event={bar.event}
              isBar
              isContinued={bar.first < day}
              days={(end === -1 ? row.length : end) - at}
            />
          );
        })}
    </>
  );
};
