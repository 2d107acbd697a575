import { render } from 'preact';
import { startReloadOffers } from '../../../browser/shell/reload.ts';
import { Enrolment } from './parts/enrolment.tsx';

startReloadOffers();

const place = document.getElementById('enrol') as HTMLElement;
const { email = '', destination = '/', passkeys } = place.dataset;

render(
  <Enrolment
    email={email}
    hasPasskeys={passkeys === 'on'}
    onDone={() => location.replace(destination)}
  />,
  place,
);
