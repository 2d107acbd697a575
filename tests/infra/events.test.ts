import { describe, expect, it } from 'vitest';
import { functionConfigs } from '../../infra/functions/config/functions.ts';
import { synthesize, template } from '../support/infra/stack-template.ts';

const withEvents = synthesize({ events: true });

/** Returns the functions that know the bus, by name. */
const knowing = (made: typeof template): string[] =>
  Object.values(made.findResources('AWS::Lambda::Function'))
    .filter(({ Properties }) => Properties.Environment?.Variables?.EVENT_BUS === 'default')
    .map(({ Properties }) => String(Properties.Description).replace('Handbill: ', ''));

/** Returns the statements about events, with the roles that have them. */
const rights = (made: typeof template) =>
  Object.values(made.findResources('AWS::IAM::Role')).flatMap(({ Properties }) =>
    JSON.stringify(Properties).includes('events:PutEvents') ? [JSON.stringify(Properties)] : [],
  );

describe('the event bus', () => {
  it('is known to the functions that make events, and to no other', () => {
    const making = Object.entries(functionConfigs).flatMap(([name, { events }]) =>
      events ? [name] : [],
    );
    expect(knowing(withEvents).sort()).toEqual(making.sort());
    expect(knowing(template)).toEqual([]);
  });

  it('gets events from the function of jobs alone, which may put them there and nowhere else', () => {
    const [only = '', ...others] = rights(withEvents);
    expect(others).toEqual([]);
    expect(only).toContain('event-bus/default');
    expect(rights(template)).toEqual([]);
  });

  it('adds no resource to the stack', () => {
    const idsOf = (made: typeof template) => Object.keys(made.toJSON()['Resources']).sort();
    expect(idsOf(withEvents)).toEqual(idsOf(template));
  });
});
