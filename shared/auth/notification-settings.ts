import * as z from 'zod';

/** How a user is told: by the bell of the pages (`GET /api/notifications`), and by email. */
const channels = ['bell', 'mail'] as const;
type Channels = Readonly<Record<(typeof channels)[number], boolean>>;

/** What users are told of, with the channels that are on until they change them. */
const defaults = {
  messages: { bell: true, mail: false },
  sharing: { bell: true, mail: false },
  events: { bell: true, mail: false },
  reminders: { bell: true, mail: true },
  shares: { bell: true, mail: false },
  reports: { bell: true, mail: false },
  newSignIns: { bell: true, mail: true },
  webhooks: { bell: true, mail: true },
  spending: { bell: true, mail: true },
  security: { bell: true, mail: true },
} as const satisfies Readonly<Record<string, Channels>>;

/** What a notification is about. `security` is about the password, the email address and API tokens. */
export type NotificationTopic = keyof typeof defaults;

const topics = Object.keys(defaults) as readonly NotificationTopic[];

/** The channels of each topic. */
type Settings = Readonly<Record<NotificationTopic, Channels>>;

/** As stored: only what differs from the defaults. */
export type StoredNotificationSettings = Readonly<
  Partial<Record<NotificationTopic, Readonly<Partial<Channels>>>>
>;

const descriptions: Readonly<Record<NotificationTopic, string>> = {
  messages: 'New messages.',
  sharing: 'Documents, files and snippets that others share with you.',
  events: 'Invitations, changes of events, and answers to your invitations.',
  reminders: 'Reminders of events and tasks.',
  shares: 'Your shares: edited by a moderator, ended, reviewed or taken down.',
  reports: 'Reported shares, if you moderate.',
  newSignIns: 'Sign-ins from a new device or network.',
  webhooks: 'Webhooks of yours that are paused because they fail.',
  spending: 'The spending limit, near or reached, if you are a super admin.',
  security:
    'Changes of your password, email address and API tokens, and exports you asked for. Always on.',
};

const alwaysOn = 'is always true, so that you learn of changes you didn’t make';

const channelsOf = (topic: NotificationTopic) => {
  const isOn = topic === 'security' ? z.literal(true, alwaysOn) : z.boolean();
  return {
    bell: isOn.meta({ description: 'By the bell of the pages.' }),
    mail: isOn.meta({ description: 'By email.' }),
  };
};

const shapeOf = <Schema>(toSchema: (topic: NotificationTopic) => Schema) =>
  Object.fromEntries(topics.map((topic) => [topic, toSchema(topic)])) as Record<
    NotificationTopic,
    Schema
  >;

/** The settings in API responses. */
export const NotificationSettings = z.object(
  shapeOf((topic) => z.object(channelsOf(topic)).meta({ description: descriptions[topic] })),
);

/** The settings in requests: what is missing stays as it is. */
export const NotificationSettingsInput = z.strictObject(
  shapeOf((topic) =>
    z
      .strictObject(channelsOf(topic))
      .partial()
      .optional()
      .meta({ description: descriptions[topic] }),
  ),
);

type Change = z.output<typeof NotificationSettingsInput>;

/** Returns the settings of a user. */
export const getSettings = (stored: StoredNotificationSettings = {}): Settings =>
  shapeOf((topic) => ({ ...defaults[topic], ...stored[topic] }));

/** Returns the settings after a change. */
export const changeSettings = (settings: Settings, change: Change): Settings =>
  shapeOf((topic) => {
    const { bell = settings[topic].bell, mail = settings[topic].mail } = change[topic] ?? {};
    return { bell, mail };
  });

/** Returns what to store of settings: what differs from the defaults; `undefined` if nothing does. */
export const toStoredSettings = (settings: Settings): StoredNotificationSettings | undefined => {
  const changed = topics.flatMap((topic) => {
    const own = channels.filter((channel) => settings[topic][channel] !== defaults[topic][channel]);
    const entries = own.map((channel) => [channel, settings[topic][channel]]);
    return own.length > 0 ? [[topic, Object.fromEntries(entries)] as const] : [];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
};

/** Returns whether a user is told of a topic at all. */
export const isTold = (
  stored: StoredNotificationSettings | undefined,
  topic: NotificationTopic,
): boolean => Object.values(getSettings(stored)[topic]).includes(true);
