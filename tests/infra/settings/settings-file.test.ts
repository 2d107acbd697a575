import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  parseSettingsFile,
  readSettingsFile,
} from '../../../infra/stack/settings/settings-file.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'handbill-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('handbill.json', () => {
  it('returns the settings of a stage as text, and which stages there are', () => {
    const content = JSON.stringify({
      prod: {
        REGISTRATION: 'invite',
        PASSWORD_COST: 13,
        edge: true,
        corsOrigins: ['https://a.test', 'https://b.test'],
        alarmEmail: '',
      },
      dev: { alarmEmail: 'none' },
    });
    expect(parseSettingsFile(content, 'prod')).toEqual({
      stages: ['prod', 'dev'],
      values: {
        REGISTRATION: 'invite',
        PASSWORD_COST: '13',
        edge: 'true',
        corsOrigins: 'https://a.test,https://b.test',
        alarmEmail: '',
      },
    });
    expect(parseSettingsFile(`\uFEFF${content}`, 'try').values).toEqual({});
  });

  it('need not exist', () => {
    expect(readSettingsFile('prod', join(folder, 'none.json'))).toBeUndefined();
    const path = join(folder, 'handbill.json');
    writeFileSync(path, '{"prod": {"tracing": true}}');
    expect(readSettingsFile('prod', path)?.values).toEqual({ tracing: 'true' });
  });

  it('has an example whose settings are right', () => {
    const example = readFileSync(join(root, 'handbill.example.json'), 'utf8');
    for (const stage of parseSettingsFile(example, 'prod').stages) {
      expect(Object.keys(parseSettingsFile(example, stage).values)).not.toEqual([]);
    }
    expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('/handbill.json');
  });

  it.each([
    [
      '{\n  "prod": {\n    "tracing": true,\n  }\n}',
      'handbill.json isn’t valid JSON at line 3, column 20: JSON does not support trailing commas.',
    ],
    ['{"prod": {', 'handbill.json isn’t valid JSON at line 1, column 11: '],
    ['', 'handbill.json isn’t valid JSON at line 1, column 1: '],
    ['{} // prod', 'handbill.json isn’t valid JSON at line 1, column 4: '],
    [
      '{"prod": {"edge": true,\n"edge": false}}',
      'handbill.json isn’t valid JSON at line 2, column 1: Duplicate key "edge" in object literal.',
    ],
    [
      '[]',
      'handbill.json has no stages. Write {"prod": {"REGISTRATION": "invite"}}, for instance.',
    ],
    ['null', 'handbill.json has no stages.'],
    [
      '{"Prod": {}}',
      'handbill.json has a stage named "Prod". Name it with a name of at most 20 lowercase letters, digits and hyphens, such as prod or dev; settings are in a stage.',
    ],
    ['{"REGISTRATION": "closed"}', 'handbill.json has a stage named "REGISTRATION".'],
    ['{"__proto__": {}}', 'handbill.json has a stage named "__proto__".'],
    [
      '{"prod": "closed"}',
      'Set prod in handbill.json to the settings of that stage, such as {"REGISTRATION": "invite"}.',
    ],
    [
      '{"prod": {"REGISTRATON": "closed"}}',
      'Unknown setting REGISTRATON of stage prod in handbill.json. Did you mean REGISTRATION?',
    ],
    ['{"prod": {"stage": "dev"}}', 'Unknown setting stage of stage prod in handbill.json.'],
    [
      '{"prod": {"alarmEmail": null}}',
      'Set alarmEmail of stage prod in handbill.json to a text, a number, true, false or a list of texts.',
    ],
    [
      '{"prod": {"corsOrigins": [1]}}',
      'Set corsOrigins of stage prod in handbill.json to a text, a number, true, false or a list of texts.',
    ],
    [
      '{"prod": {"existingTable": true}}',
      'Set existingTable of stage prod in handbill.json to a text or a number, not to true.',
    ],
    [
      '{"prod": {"throttleRate": "fast"}}',
      'Set throttleRate of stage prod in handbill.json to the requests per second that an API accepts, from 1 to 10000.',
    ],
    [
      '{"prod": {"REGISTRATION": "maybe"}}',
      'Set REGISTRATION of stage prod in handbill.json to open, invite or closed.',
    ],
  ])('is refused with a sentence: %j', (content, sentence) => {
    expect(() => parseSettingsFile(content, 'prod')).toThrow(sentence);
  });
});
