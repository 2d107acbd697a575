import '../../../../browser/record-page.ts';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { calendarTexts as texts } from '../../texts.ts';
import { close } from '../parts/state.ts';

/** What is open beside the calendar: an event, the form of a new one, or the feed’s address. */
export const EventPanel = () => (
  <Drawer title={texts.event} onClose={close}>
    {null}
  </Drawer>
);
