import { describe, expect, it } from 'vitest';
import { createApp } from '../../../infra/stack/handbill-app.ts';
import { toContextValue } from '../../../infra/stack/settings/choices.ts';
import { readDeployment } from '../../../infra/stack/settings/memory.ts';
import type { SettingsFile } from '../../../infra/stack/settings/settings-file.ts';
import { deadLettersId, template } from '../../support/infra/stack-template.ts';

const bundleNothing = { 'aws:cdk:bundling-stacks': [] };

/** Returns what a stack of this context remembers. */
const deploymentOf = (context: Record<string, unknown>, file?: SettingsFile, commit?: string) => {
  const readFile = () => file;
  const { stack } = createApp({ context: { ...context, ...bundleNothing } }, { readFile, commit });
  return stack.templateOptions.metadata?.['Handbill'];
};

/** The context of `npm run deploy` with these settings. */
const passed = (settings: Parameters<typeof toContextValue>[0]) => {
  const [name = '', value] = toContextValue(settings).split(/=(.*)/s);
  return { [name]: value };
};

describe('a stack', () => {
  it('remembers version, commit, and settings of -c before those of handbill.json', () => {
    const file = { stages: ['dev'], values: { throttleRate: '5', alarmEmail: 'ops@example.com' } };
    expect(deploymentOf({ stage: 'dev', throttleRate: '9' }, file, 'abc')).toEqual({
      settings: {
        throttleRate: { value: '9', from: '-c' },
        alarmEmail: { value: 'ops@example.com', from: 'handbill.json' },
      },
      version: '0.1.0',
      commit: 'abc',
    });
  });

  it('takes all settings from `npm run deploy`, which has read the file', () => {
    const settings = { REGISTRATION: { value: '', from: '-c' } } as const;
    const file = { stages: ['prod'], values: { REGISTRATION: 'closed' } };
    expect(deploymentOf(passed(settings), file)).toMatchObject({ settings });
  });

  it('changes a resource with what it remembers: metadata alone is never updated', () => {
    const { Metadata, Resources } = template.toJSON();
    expect(readDeployment(JSON.stringify(Metadata))).toEqual({ settings: {}, version: '0.1.0' });
    expect(Resources[deadLettersId].Metadata.Handbill).toMatch(/^[\da-f]{64}$/);
  });

  it.each([
    [{ REGISTRATON: 'closed' }, 'Unknown setting REGISTRATON. Did you mean REGISTRATION?'],
    [
      { OIDC_GOOGLE_CLIENTID: 'x' },
      'Unknown setting OIDC_GOOGLE_CLIENTID. Did you mean OIDC_GOOGLE_CLIENT_ID?',
    ],
    [
      { OIDC_GOOGLE_CLIENT_SECRET: 'x' },
      'Leave out OIDC_GOOGLE_CLIENT_SECRET: files and command lines keep no secret. Store it with `npm run secret -- google`.',
    ],
    [
      { ...passed({}), OIDC_GOOGLE_ISSUER: 'https://accounts.google.com' },
      'Move OIDC_GOOGLE_ISSUER from the context',
    ],
    [{ CORS_ORIGINS: '*' }, 'Unknown setting CORS_ORIGINS. Did you mean corsOrigins?'],
    [{ stages: { prod: {} } }, 'Unknown setting stages. README.md#configure lists all.'],
    [{ stage: 'Prod' }, 'Set stage to a name of at most 20'],
    [
      { ...passed({}), REGISTRATION: 'closed' },
      'Move REGISTRATION from the context of cdk.json or ~/.cdk.json to handbill.json, or remove it.',
    ],
  ])('is not made of %j', (context, sentence) => {
    expect(() => deploymentOf(context)).toThrow(sentence);
  });

  it('lets the CDK have names of its own in the context', () => {
    expect(deploymentOf({ '@aws-cdk/core:x': true, 'acknowledged-issue-numbers': [1] })).toEqual({
      settings: {},
      version: '0.1.0',
    });
  });
});
