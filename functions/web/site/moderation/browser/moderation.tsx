import { render } from 'preact';
import { startDecisionKeys } from './parts/decisions.ts';
import { Moderation } from './parts/page.tsx';
import { decide as decideOnRequest } from './parts/requests/state.ts';
import { decide } from './parts/share-decisions.ts';
import { list, view } from './parts/state.ts';

render(<Moderation />, document.getElementById('moderation') as HTMLElement);
startDecisionKeys((decision) =>
  (view.value.list === 'requests' ? decideOnRequest : decide)(decision),
);
void list.load(1);
