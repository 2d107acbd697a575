import { Drawer } from '../../../../browser/components/drawer.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { close, view } from '../parts/state.ts';
import { EventDrawer } from './event-drawer.tsx';
import { eventTexts as texts } from './texts.ts';

const NewEvent = lazily(async () => (await import('./new-event.tsx')).NewEvent);
const Feed = lazily(async () => (await import('./feed.tsx')).Feed);

/** What is open beside the calendar: an event, the form of a new one, or the feed’s address. */
export const EventPanel = () => {
  const { open, start, end } = view.value;
  if (open === undefined) return null;
  if (open === 'feed') return <Feed />;
  if (open !== 'new') return <EventDrawer key={`${open} ${start ?? ''}`} id={open} start={start} />;
  if (may('calendar:create')) return <NewEvent key={`${start} ${end}`} start={start} end={end} />;
  return (
    <Drawer title={texts.newEvent} onClose={close}>
      <Notice kind="warn">{texts.mayNotCreate}</Notice>
    </Drawer>
  );
};
