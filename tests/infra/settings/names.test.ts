import { afterEach, expect, it, vi } from 'vitest';
import { printIgnored } from '../../../infra/commands/settings/environment.ts';
import { findMistyped } from '../../../infra/local/mistyped.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('finds settings with a typing error in the environment of npm start, and nothing else', () => {
  const env = {
    REGISTRATON: 'closed',
    MAIL_FORM: 'a@b.test',
    REGISTRATION: 'closed',
    ...{ PATH: '/bin', PORTS: '1', HOSTNAME: 'a', LOGNAME: 'b', DISPLAY: ':0', NODE_ENV: 'x' },
    ...{ EDITOR: 'vi', COLORTERM: 'c', TERM_PROGRAM: 't', npm_package_version: '1' },
    ...{ AWS_REGION: 'r', AWS_PROFILE: 'p', AWS_SESSION_TOKEN: 't', SSH_AUTH_SOCK: 's' },
  };
  expect(findMistyped(env)).toEqual([
    'Unknown setting REGISTRATON. Did you mean REGISTRATION?',
    'Unknown setting MAIL_FORM. Did you mean MAIL_FROM?',
  ]);
});

it('says that a deployment reads no environment variables', () => {
  let problems = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    problems += text;
    return true;
  });
  printIgnored({ REGISTRATION: 'closed', PATH: '/bin', MAIL_RATE: '' }, []);
  expect(problems).toBe(
    'A deployment doesn’t read environment variables: REGISTRATION. Pass -c REGISTRATION=<value>, or write it into handbill.json.\n',
  );
  problems = '';
  printIgnored({ REGISTRATION: 'closed' }, ['REGISTRATION=open']);
  expect(problems).toBe('');
});
