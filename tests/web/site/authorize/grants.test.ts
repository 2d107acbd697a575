import { describe, expect, it } from 'vitest';
import {
  describeMissing,
  removeEntries,
  toGrants,
} from '../../../../functions/web/site/authorize/browser/parts/grants.ts';
import { permissions } from '../../../../shared/permissions/permissions.ts';
import { scopes } from '../../../../shared/permissions/scopes.ts';

const textsOf = (...entries: string[]) => toGrants(entries).map(({ text }) => text);

describe('what an app can do, in words', () => {
  it('says what belongs together in one line', () => {
    expect(toGrants(['shares:view', 'shares:update', 'shares:create'])).toEqual([
      { text: 'Create and change your shares', entries: ['shares:create', 'shares:update'] },
      { text: 'List your shares and their views', entries: ['shares:view'] },
    ]);
    expect(textsOf('shares:create')).toEqual(['Create shares']);
    expect(textsOf('shares:update')).toEqual(['Change your shares']);
  });

  it.each([...permissions, ...scopes])('has a sentence for %s', (entry) => {
    const [grant, ...more] = toGrants([entry]);
    expect(more).toEqual([]);
    expect(grant?.entries).toEqual([entry]);
    expect(grant?.text).toMatch(/^[A-Z][a-z]+ [^:]+[^.]$/);
  });

  it('says each thing that a wildcard allows, once', () => {
    expect(textsOf('messages:*', 'messages:view')).toEqual([
      'Read your messages',
      'Send messages in your name',
      'Delete your messages',
    ]);
    const all = toGrants(['*']).flatMap(({ entries }) => entries);
    expect(all.toSorted()).toEqual([...permissions, ...scopes].toSorted());
  });

  it('has no line for all of an area that the wildcard of its scopes lacks', () => {
    expect(textsOf('shares:*')).not.toContain('Moderate everyone’s shares');
  });

  it('shows what it doesn’t know by its own name, instead of nothing', () => {
    expect(textsOf('rockets:launch')).toEqual(['rockets:launch']);
  });
});

describe('what is left of what an app asks for', () => {
  it('is without what was turned off', () => {
    const asked = ['shares:create', 'shares:view'];
    expect(removeEntries(asked, new Set())).toEqual(asked);
    expect(removeEntries(asked, new Set(['shares:create']))).toEqual(['shares:view']);
    expect(removeEntries(asked, new Set(asked))).toEqual([]);
  });

  it('is a wildcard as long as all of it is on', () => {
    expect(removeEntries(['messages:*'], new Set())).toEqual(['messages:*']);
    expect(removeEntries(['messages:*'], new Set(['messages:create']))).toEqual([
      'messages:view',
      'messages:delete',
    ]);
  });
});

describe('what an app can’t do, in words', () => {
  it.each([
    [['shares:view'], 'No documents, messages or settings'],
    [['shares:view', 'documents:view'], 'No messages or settings'],
    [['documents:view', 'messages:view', 'profile:update'], 'No shares'],
    [['shares:view', 'documents:view', 'messages:view', 'settings:view'], undefined],
    [['*'], undefined],
    [['people:view'], 'No shares, documents, messages or settings'],
  ])('of %j is %j', (entries, text) => {
    expect(describeMissing(entries)).toBe(text);
  });
});
