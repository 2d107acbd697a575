import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Unanswered } from '../../../../infra/commands/ask.ts';
import { dataSettings, resolveSettings } from '../../../../infra/commands/settings/resolve.ts';
import type { Choices, Source } from '../../../../infra/stack/settings/choices.ts';

let printed: string[];
let asked: string[];

beforeEach(() => {
  printed = [];
  asked = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(...String(text).trimEnd().split('\n'));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Choices from one source. */
const from = (source: Source, values: Readonly<Record<string, string>>): Choices =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, from: source }]),
  );

interface Request {
  readonly given?: readonly string[];
  readonly file?: Readonly<Record<string, string>>;
  readonly remembered?: Choices;
  readonly isFirst?: boolean;
  readonly isUnattended?: boolean;
  readonly replaceable?: readonly string[];
  readonly stage?: string;
  /** Whether there is nobody who could be asked. */
  readonly isAlone?: boolean;
  /** The answers to the questions that contain a text, in their order; others are empty. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
}

/** Resolves with these answers. */
const resolve = async ({
  file,
  answers = {},
  isAlone = false,
  stage = 'prod',
  ...request
}: Request) => {
  const left = Object.entries(answers).map(([part, all]) => ({ part, all: [...all] }));
  const { choices } = await resolveSettings({
    stage,
    given: [],
    remembered: {},
    isFirst: false,
    isUnattended: false,
    replaceable: [],
    ...request,
    file: file && { stages: [stage], values: file },
    confirm: async (question) => {
      if (isAlone) throw new Unanswered('Nobody has answered');
      asked.push(question);
      return left.find(({ part }) => question.includes(part))?.all.shift() ?? '';
    },
  });
  return choices;
};

const unattended = { isUnattended: true };

describe('the settings of a deployment', () => {
  it('are those of -c, then of the file, then what the stack remembers', async () => {
    const choices = await resolve({
      ...unattended,
      given: ['MAIL_RATE=3'],
      file: { MAIL_RATE: '2', PASSWORD_COST: '11' },
      remembered: from('handbill.json', {
        MAIL_RATE: '1',
        PASSWORD_COST: '10',
        alarmEmail: 'ops@example.com',
      }),
    });
    expect(choices).toEqual({
      ...from('-c', { MAIL_RATE: '3' }),
      ...from('handbill.json', { PASSWORD_COST: '11', alarmEmail: 'ops@example.com' }),
    });
  });

  it('stay as they are: nothing is shown or asked', async () => {
    const remembered = from('-c', { REGISTRATION: 'closed', PASSWORD_COST: '11' });
    expect(await resolve({ remembered })).toEqual(remembered);
    expect(await resolve({ remembered, given: ['PASSWORD_COST=11'] })).toEqual(remembered);
    expect([printed, asked]).toEqual([[], []]);
  });

  it('are the file’s once it says the same as -c', async () => {
    const file = { REGISTRATION: 'closed' };
    const owned = from('handbill.json', file);
    expect(await resolve({ file, given: ['REGISTRATION=closed'], ...unattended })).toEqual(owned);
    expect(await resolve({ file, remembered: from('-c', file) })).toEqual(owned);
  });

  it('are shown where they change, with their source, and asked for', async () => {
    const request = {
      given: ['REGISTRATION=open'],
      file: { alarmEmail: 'ops@example.com' },
      remembered: from('-c', { REGISTRATION: 'closed', MAIL_RATE: '5' }),
    };
    await resolve({ ...request, answers: { Deploy: ['y'] } });
    expect(printed).toEqual([
      'Settings of stage prod:',
      '  REGISTRATION  closed → open              -c',
      '  alarmEmail    default → ops@example.com  handbill.json',
    ]);
    expect(asked).toEqual(['Deploy with these settings? [y/N] ']);
    await expect(resolve(request)).rejects.toThrow(
      'Canceled. Pass --yes to deploy with these settings without asking.',
    );
  });

  it('return to the default with an empty value, which is remembered against the file', async () => {
    const choices = await resolve({
      ...unattended,
      given: ['REGISTRATION='],
      remembered: from('-c', { REGISTRATION: 'closed' }),
    });
    expect(choices).toEqual(from('-c', { REGISTRATION: '' }));
    expect(printed).toContain('  REGISTRATION  closed → default (open)  -c');
    await expect(
      resolve({ ...unattended, remembered: choices, file: { REGISTRATION: 'closed' } }),
    ).rejects.toThrow('handbill.json contradicts REGISTRATION=, which was chosen');
  });

  it('are refused by the names of both where nobody can say which counts', async () => {
    const remembered = from('-c', { REGISTRATION: 'closed' });
    const file = { REGISTRATION: 'open' };
    await expect(resolve({ ...unattended, isAlone: true, remembered, file })).rejects.toThrow(
      'Pass -c REGISTRATION=closed or -c REGISTRATION=open, or correct handbill.json.',
    );
  });

  it.each(['-c', 'answer'] as const)(
    'are asked for, even with --yes, where a file contradicts a remembered %s',
    async (source) => {
      const remembered = from(source, { REGISTRATION: 'closed' });
      const file = { REGISTRATION: 'open' };
      await expect(resolve({ ...unattended, remembered, file })).rejects.toThrow(
        'handbill.json contradicts REGISTRATION=closed, which was chosen on the command line. Pass -c REGISTRATION=closed or -c REGISTRATION=open, or correct handbill.json.',
      );
      expect(asked).toEqual([
        'REGISTRATION: closed was chosen on the command line, handbill.json has open. Take that of handbill.json? [y/N] ',
      ]);
      const taken = await resolve({ ...unattended, remembered, file, answers: { Take: ['yes'] } });
      expect(taken).toEqual(from('handbill.json', file));
      for (const value of ['open', 'closed']) {
        const given = [`REGISTRATION=${value}`];
        expect((await resolve({ ...unattended, remembered, file, given }))['REGISTRATION']).toEqual(
          { value, from: value === 'open' ? 'handbill.json' : '-c' },
        );
      }
    },
  );

  it.each(['handbill.json', 'proposal'] as const)(
    'change with the file where a %s is remembered',
    async (source) => {
      const remembered = from(source, { REGISTRATION: 'closed' });
      const choices = await resolve({ ...unattended, remembered, file: { REGISTRATION: 'open' } });
      expect(choices).toEqual(from('handbill.json', { REGISTRATION: 'open' }));
    },
  );

  it('keep what a file no longer has, and say so', async () => {
    const remembered = from('handbill.json', { tracing: 'true', MAIL_RATE: '5' });
    expect(await resolve({ remembered, file: { MAIL_RATE: '5' } })).toEqual(remembered);
    expect(printed).toEqual([
      'Kept, though handbill.json no longer has it: tracing. Return to a default with -c name=.',
    ]);
  });

  it('say which stages a file has, if not this one', async () => {
    await resolveSettings({
      stage: 'dev',
      given: [],
      file: { stages: ['prod', 'try'], values: {} },
      remembered: {},
      isFirst: false,
      isUnattended: true,
      replaceable: [],
      confirm: () => expect.unreachable(),
    });
    expect(printed).toEqual(['handbill.json has no stage dev, only prod, try.']);
  });

  it('say so before the first question, which can be canceled', async () => {
    const canceled = resolveSettings({
      stage: 'dev',
      given: [],
      file: { stages: ['prod'], values: {} },
      remembered: {},
      isFirst: true,
      isUnattended: false,
      replaceable: [],
      confirm: () => {
        expect(printed[0]).toBe('handbill.json has no stage dev, only prod.');
        throw new Unanswered('Nobody has answered');
      },
    });
    await expect(canceled).rejects.toThrow(
      'Nobody has decided REGISTRATION. Pass -c REGISTRATION=<value>, or --yes for the default.',
    );
  });

  it('leave out what another version remembered', async () => {
    const remembered = { ...from('-c', { tracing: 'true' }), ...from('-c', { colour: 'blue' }) };
    expect(await resolve({ remembered })).toEqual(from('-c', { tracing: 'true' }));
    expect(printed).toEqual(['Not used: colour. This version of Handbill has no such setting.']);
  });

  it.each([
    [['REGISTRATON=closed'], 'Unknown setting REGISTRATON. Did you mean REGISTRATION?'],
    [['registration=closed'], 'Unknown setting registration. Did you mean REGISTRATION?'],
    [['CORS_ORIGINS=*'], 'Unknown setting CORS_ORIGINS. Did you mean corsOrigins?'],
    [['alarm-mail=a@b.test'], 'Unknown setting alarm-mail. Did you mean alarmEmail?'],
    [['JWT_SECRET=x'], 'Unknown setting JWT_SECRET. README.md#configure lists all.'],
    [['a=b=c'], 'Unknown setting a. README.md#configure lists all.'],
    [['throttleRate=fast'], 'Set throttleRate to the requests per second'],
    [['REGISTRATION=maybe'], 'Set REGISTRATION to open, invite or closed.'],
    [['EMAIL_VERIFICATION=required'], 'Set MAIL_FROM to the sender address of emails, or'],
    [['DEFAULT_AUDIENCE=members'], 'Set DEFAULT_AUDIENCE to link, people or private, or'],
    [['tracing'], 'Invalid context "tracing". Use --context name=value, and --stage name'],
    [['=x'], 'Invalid context "=x".'],
    [['stage=dev'], 'Invalid context "stage=dev".'],
    [
      ['REGISTRATION=open', 'REGISTRATION=closed'],
      'REGISTRATION has two values: open and closed. Pass one.',
    ],
  ])('refuse %j before anything is asked', async (given, sentence) => {
    await expect(resolve({ given })).rejects.toThrow(sentence);
    expect(asked).toEqual([]);
  });
});

describe('settings by which a stage can lose its data', () => {
  const [table, bucket] = ['handbill-20261121T120000Z', 'files-of-before'];

  it.each([
    [
      'from what is remembered to the default',
      { remembered: from('-c', { existingTable: table }), given: ['existingTable='] },
      `existingTable would change from ${table} to default: the stage would leave behind what it has stored. Pass --replace-data if it should, or -c existingTable=${table} to keep it.`,
    ],
    [
      'from the default',
      { given: [`existingBucket=${bucket}`] },
      `existingBucket would change from default to ${bucket}: `,
    ],
    [
      'by a file',
      { remembered: from('-c', { existingTable: table }), file: { existingTable: 'former' } },
      `existingTable would change from ${table} to former: `,
    ],
    [
      'to no backups',
      { given: ['ephemeral=true'] },
      'ephemeral would change from default (false) to true: backups would end, and',
    ],
  ])('change %s only with --replace-data, whatever else is said', async (_, request, sentence) => {
    const asking = { ...request, ...unattended, stage: 'dev', answers: { '': ['y', 'y'] } };
    await expect(resolve(asking)).rejects.toThrow(sentence);
    expect(asked).toEqual([]);
  });

  it('change with it', async () => {
    const remembered = from('-c', { existingTable: table });
    const choices = await resolve({
      ...unattended,
      remembered,
      given: ['existingTable='],
      replaceable: dataSettings,
    });
    expect(choices).toEqual(from('-c', { existingTable: '' }));
  });

  it('are free before the first deployment', async () => {
    const choices = await resolve({
      ...unattended,
      isFirst: true,
      given: [`existingTable=${table}`, 'REGISTRATION=closed'],
    });
    expect(choices).toEqual(from('-c', { existingTable: table, REGISTRATION: 'closed' }));
  });
});

describe('the first deployment', () => {
  const first = { isFirst: true };

  it('asks who may register, until the answer is one', async () => {
    const answers = { 'invite or closed': ['', 'everyone', 'invite'], Deploy: ['y'] };
    const choices = await resolve({ ...first, answers });
    expect(choices['REGISTRATION']).toEqual({ value: 'invite', from: 'answer' });
    expect(printed).toEqual(
      expect.arrayContaining([
        'Who may register?',
        '  open    anyone who finds the address',
        '  invite  people whom an administrator invites',
        '  closed  no one: administrators create accounts and set their passwords',
        'Set REGISTRATION to open, invite or closed.',
        'Settings of stage prod:',
        '  REGISTRATION  default (open) → invite  answer',
      ]),
    );
  });

  it('stops if nobody answers, and says how to answer', async () => {
    await expect(resolve(first)).rejects.toThrow(
      'Nobody has decided REGISTRATION. Pass -c REGISTRATION=<value>, or --yes for the default.',
    );
    expect(asked).toHaveLength(3);
  });

  it('takes the default with --yes, and says so', async () => {
    expect(await resolve({ ...first, ...unattended })).toEqual({});
    expect(printed).toEqual([
      'Anyone can register. For fewer people pass -c REGISTRATION=invite or closed.',
    ]);
    expect(asked).toEqual([]);
  });

  it('does not ask what is chosen', async () => {
    const file = { REGISTRATION: 'closed', alarmEmail: 'ops@example.com' };
    await resolve({ ...first, file, answers: { Deploy: ['y'] } });
    expect(asked.filter((question) => /closed|Email/.test(question))).toEqual([]);
  });

  it('proposes a budget to the address of alarms, which it asks for', async () => {
    const request = { ...first, given: ['REGISTRATION=invite'] };
    const [address, dollars] = ['Email address for alarms', 'how many US dollars'];
    const choices = await resolve({
      ...request,
      answers: { [address]: ['ops', 'ops@example.com'], [dollars]: ['little', ''], Deploy: ['y'] },
    });
    expect(choices).toEqual({
      ...from('-c', { REGISTRATION: 'invite' }),
      ...from('answer', { alarmEmail: 'ops@example.com', monthlyBudget: '10' }),
    });
    expect(printed).toContain('  monthlyBudget  default → 10               answer');
    const given = [...request.given, 'alarmEmail=ops@example.com'];
    const without = await resolve({
      ...request,
      given,
      answers: { [dollars]: ['0'], Deploy: ['y'] },
    });
    expect(without['monthlyBudget']).toEqual({ value: '', from: 'answer' });
    expect(asked.filter((question) => question.includes(address))).toHaveLength(2);
  });

  it('takes the budget with --yes where there is an address, and none without', async () => {
    const given = ['alarmEmail=ops@example.com'];
    const choices = await resolve({ ...first, ...unattended, given });
    expect(choices['monthlyBudget']).toEqual({ value: '10', from: 'proposal' });
    expect(await resolve({ ...first, ...unattended })).toEqual({});
  });

  it('proposes no budget for an ephemeral stage, which has no alarms', async () => {
    const given = ['ephemeral=true', 'REGISTRATION=open'];
    await resolve({ ...first, stage: 'try', given, answers: { Deploy: ['y'] } });
    expect(asked).toEqual(['Deploy with these settings? [y/N] ']);
  });
});
