import { useEffect } from 'preact/hooks';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { may } from '../../../../browser/shell/session.ts';
import { notificationsTexts as texts } from '../../texts.ts';
import { url } from './state.ts';

type Settings = Data<'GET /api/users/me'>['notificationSettings'];
type Topic = keyof Settings;
type Channel = keyof Settings[Topic];

const source = createSource(async () => (await api.call('GET /api/users/me')).notificationSettings);

const isMailOn = document.getElementById('notifications')?.dataset['mail'] === 'on';

/** Shows a change at once, saves it, and puts it back if that fails. */
const change = async (topic: Topic, channel: Channel, isOn: boolean): Promise<void> => {
  const show = (value: boolean) => {
    const settings = source.data.value;
    if (!settings) return;
    source.data.value = { ...settings, [topic]: { ...settings[topic], [channel]: value } };
  };
  show(isOn);
  try {
    const body = { notificationSettings: { [topic]: { [channel]: isOn } } };
    await api.call('PUT /api/users/me', { body });
  } catch (error) {
    show(!isOn);
    const again = () => change(topic, channel, isOn);
    showFailure(texts.notSaved((error as Error).message), again);
  }
};

interface ChannelSwitchProps {
  readonly settings: Settings;
  readonly topic: Topic;
  readonly channel: Channel;
}

const ChannelSwitch = ({ settings, topic, channel }: ChannelSwitchProps) => (
  <input
    type="checkbox"
    class="switch"
    aria-label={texts.by(texts[channel], texts.topics[topic][0])}
    checked={settings[topic][channel]}
    disabled={topic === 'security' || (channel === 'mail' && !isMailOn)}
    onChange={({ currentTarget }) => void change(topic, channel, currentTarget.checked)}
  />
);

/** Reports are for those who can moderate. */
const isShown = (topic: Topic): boolean => topic !== 'reports' || may('shares:manage');

/** What the user is told of, by the bell and by email. */
export const SettingsDrawer = () => {
  useEffect(() => void source.load(), []);
  return (
    <Drawer title={texts.settingsTitle} onClose={() => url.close({ open: undefined })}>
      <p class="mute">{texts.settingsAbout}</p>
      {!isMailOn && <p class="note">{texts.mailIsOff}</p>}
      <Loaded source={source} lines={8}>
        {(settings) => (
          <table class="topics">
            <thead>
              <tr>
                <td />
                <th scope="col">{texts.bell}</th>
                <th scope="col">{texts.mail}</th>
              </tr>
            </thead>
            <tbody>
              {(Object.keys(texts.topics) as Topic[]).filter(isShown).map((topic) => (
                <tr key={topic}>
                  <th scope="row">
                    {texts.topics[topic][0]}
                    <span class="hint blk">{texts.topics[topic][1]}</span>
                  </th>
                  <td>
                    <ChannelSwitch settings={settings} topic={topic} channel="bell" />
                  </td>
                  <td>
                    <ChannelSwitch settings={settings} topic={topic} channel="mail" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Drawer>
  );
};
