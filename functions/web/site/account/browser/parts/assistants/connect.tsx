import { Icon } from '../../../../../browser/components/icon.tsx';
import { assistantTexts as texts } from '../../../assistant-texts.ts';
import { connectionWays } from '../../../view.ts';
import { SetCard } from '../set-card.tsx';
import { url } from '../state.ts';
import { ByAddress, ByCommand, ByToken } from './ways.tsx';

const icons = { address: 'globe', command: 'code', token: 'key' } as const;
const contents = { address: ByAddress, command: ByCommand, token: ByToken } as const;

/** How to connect an assistant: a choice of three ways, and the steps of the chosen one. */
export const Connect = () => {
  const by = url.view.value.by ?? 'address';
  const Steps = contents[by];
  return (
    <SetCard title={texts.connect} about={texts.connectAbout}>
      <div class="in-card">
        <div class="clients" role="radiogroup" aria-label={texts.connect}>
          {connectionWays.map((way) => {
            const [name, about] = texts.ways[way];
            return (
              <label key={way}>
                <input
                  type="radio"
                  name="by"
                  checked={way === by}
                  onChange={() => url.change({ by: way })}
                />
                <Icon name={icons[way]} isLarge />
                <b>{name}</b>
                <small>{about}</small>
              </label>
            );
          })}
        </div>
        <Steps />
      </div>
    </SetCard>
  );
};
