import { describe, expect, it } from 'vitest';
import { toChatText } from '../../../shared/webhooks/chat-text.ts';
import { describeEvent } from '../../../shared/webhooks/event-text.ts';
import { ownEvents, testEvent } from '../../../shared/webhooks/events.ts';
import { AuditEventData, eventDataSchemas } from '../../../shared/webhooks/payloads.ts';

const exampleOf = (schema: { meta(): { examples?: unknown } | undefined }) => {
  const [example] = (schema.meta()?.examples as unknown[] | undefined) ?? [];
  return example as Record<string, unknown>;
};

describe('the text of an event', () => {
  it('is one plain sentence, and a page', () => {
    const texts = Object.fromEntries(
      ownEvents.map((type) => [
        type,
        describeEvent({ type, data: exampleOf(eventDataSchemas[type]) }),
      ]),
    );
    expect(texts).toEqual({
      'share.opened':
        'Your share “Offer for Luca” was opened with the link for “Luca” (views left: 2). https://handbill.example.com/s/k3xV9pQ2mT0a',
      'share.ended': 'Your share “Offer for Luca” reached its view limit.',
      'share.submitted':
        'Something was handed in for your request. https://handbill.example.com/s/k3xV9pQ2mT0a',
      'share.reported':
        'A share was reported. https://handbill.example.com/moderation?open=k3xV9pQ2mT0a',
      'document.shared':
        'Ann Example shared a document with you. https://handbill.example.com/documents/244212480008192',
      'message.received':
        'Ann Example sent you a message. https://handbill.example.com/messages?open=244212480012288',
    });
  });

  it.each(ownEvents)('has an example of %s that its schema takes', (type) => {
    const example = exampleOf(eventDataSchemas[type]);
    expect(eventDataSchemas[type].strict().parse(example)).toEqual(example);
  });

  it('says what the audit calls it, and of a test that it is one', () => {
    const data = exampleOf(AuditEventData);
    expect(AuditEventData.strict().parse(data)).toEqual(data);
    expect(describeEvent({ type: 'user.update', data })).toBe(
      'User changed, by Ann Example (user:244212480004096).',
    );
    expect(describeEvent({ type: 'session.fail', data: { ...data, actor: null } })).toBe(
      'Sign-in failed (user:244212480004096).',
    );
    expect(describeEvent({ type: testEvent, data: {} })).toBe('This is a test of your webhook.');
  });

  it('is what the event is called if its data is of another version', () => {
    expect(describeEvent({ type: 'share.opened', data: { label: '<!channel>' } })).toBe(
      'Share opened.',
    );
    expect(describeEvent({ type: 'role.create', data: {} })).toBe('Role created.');
  });

  it.each([
    [{ by: 'time', how: 'ended' }, 'expired'],
    [{ by: 'owner', how: 'ended' }, 'was ended by you'],
    [{ by: 'reader', how: 'ended' }, 'was ended by a reader'],
    [{ by: 'moderator', how: 'taken-down' }, 'was taken down'],
    [{ by: 'moderator', how: 'deleted' }, 'was deleted by a moderator'],
    [{ by: 'owner', how: 'deleted' }, 'was deleted by you'],
  ])('says how a share ended: %o', (end, text) => {
    const data = { share: { id: 'a', url: 'https://x', title: null }, views: 0, ...end };
    expect(describeEvent({ type: 'share.ended', data })).toBe(`Your share ${text}.`);
  });
});

/** What a client of a chat tool takes for a mention, a link or markup. */
const active = [
  /<[!@#]?\w+/,
  /@[\w.-]+/,
  /#\w/,
  /https?:\/\//i,
  /\b[\w-]+\.[a-z]{2,}\b/i,
  /\[[^\]]*\]\(/,
  /[*_~`|\\<>]/,
  /&(?:#\d+|\w+);/,
  /[\n\r\u2028\u202e\u200b]/,
];

describe('text of people in it', () => {
  it.each([
    '<!channel> now',
    '<!here|here>',
    '<@U024BE7LH>',
    '<users/all>',
    '@everyone @here @channel @all @ann.example',
    '<https://evil.example|Your invoice>',
    '[Your invoice](https://evil.example/login)',
    'https://evil.example/login',
    'HTTP://EVIL.EXAMPLE',
    'evil.example',
    'www.evil.example/path?x=1',
    'ann@evil.example',
    '&lt;!channel&gt; &#64;everyone',
    '*bold* _soft_ ~gone~ `code` ```block```',
    '||spoiler|| \\<!channel\\>',
    '#general',
    'two\nlines\r\n# A heading',
    'turned \u202e round \u2066',
    '<\u200b!channel>',
    'https:\u200b//evil.example',
  ])('mentions nobody and leads nowhere: %j', (hostile) => {
    const text = toChatText(hostile);
    for (const form of active) expect(text).not.toMatch(form);
    const title = describeEvent({
      type: 'share.opened',
      data: {
        share: { id: 'a', url: 'https://handbill.example.com/s/a', title: hostile },
        ...{ link: hostile, readerId: null, views: 1, viewsLeft: null },
      },
    });
    expect(title.split('\n')).toHaveLength(1);
    expect(title.match(/https?:\/\//g)).toHaveLength(1);
    expect(title).not.toMatch(/<|@/);
  });

  it.each([
    'Release notes 2.1',
    'Angebot für Müller & Söhne (Entwurf)',
    '日本語のタイトル',
    'Fun 👩‍💻 at 12:30!',
    'It’s 50% – really?',
  ])('stays readable: %s', (text) => {
    const letters = (shown: string) => shown.replace(/[․∶.:]/g, '');
    expect(letters(toChatText(text))).toBe(letters(text));
  });

  it('is shortened', () => {
    expect([...toChatText('🙂'.repeat(500))]).toHaveLength(201);
  });
});
