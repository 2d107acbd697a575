import { lazily } from '../../../../browser/components/lazily.tsx';
import { OwnShares } from './list.tsx';
import { ReceivedShares } from './received/list.tsx';
import { url } from './state.ts';

const ShareRequests = lazily(async () => (await import('./requests/list.tsx')).ShareRequests);
const ShareDrawer = lazily(async () => (await import('./drawer/drawer.tsx')).ShareDrawer);

/** The user's shares, with one of them beside, those for the user, or what the user asks for. */
export const Shares = () => {
  const { with: whose, open } = url.view.value;
  if (whose === 'me') return <ReceivedShares />;
  if (whose === 'requests') return <ShareRequests />;
  return (
    <div class={open === undefined ? undefined : 'split'}>
      <OwnShares />
      {open !== undefined && <ShareDrawer key={open} id={open} />}
    </div>
  );
};
