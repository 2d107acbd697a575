import { createTimeFormat, type TimeStyle } from '../../times/time-styles.ts';

/** Shows the times of a page, which the service writes in UTC, in the time zone of the reader. */
export const showLocalTimes = (): void => {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-style]')) {
    const format = createTimeFormat(time.dataset['style'] as TimeStyle);
    time.textContent = format.format(Date.parse(time.dateTime));
  }
};
