// Whether what `.github/` runs is there: commands, files, and actions at the commits that a review has seen.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const Job = z.object({
  'runs-on': z.literal('ubuntu-24.04'),
  'timeout-minutes': z.number(),
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  needs: z.string().optional(),
  steps: z.array(
    z.object({ uses: z.string().optional(), run: z.string().optional() }).catchall(z.unknown()),
  ),
});
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), Job),
});

const workflows = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe.each(workflows)('%s', (file) => {
  const text = read(file);
  const { jobs, permissions } = Workflow.parse(parse(text));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs only commands that package.json and the repository have', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    for (const command of commands) {
      const [, script] = command.match(/^npm run ([\w:-]+)/) ?? [];
      if (script !== undefined) expect(Object.keys(scripts), command).toContain(script);
      const [, program] = command.match(/^bash (\S+)/) ?? [];
      if (program !== undefined) expect(read(program), command).toMatch(/^#!/);
      expect(command).toMatch(/^(npm (ci|test|run [\w:-]+)|bash \S+|tar|git config)( |$)/);
      // What someone else chooses, such as a title, must not become code.
      expect(command).not.toContain('${{');
    }
  });

  it('takes actions at a commit, says their version, and gives each job only the rights it needs', () => {
    const lines = text.split('\n').filter((line) => /\buses:/.test(line));
    expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines) {
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    }
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
    for (const [name, { environment, permissions: own = {} }] of Object.entries(jobs)) {
      // A role can be assumed only where an environment says who may.
      expect([name, own['id-token']]).toEqual([
        name,
        environment === undefined ? undefined : 'write',
      ]);
      expect(Object.values(own).filter((right) => right === 'write').length).toBeLessThan(2);
    }
  });
});

it('deploys the same build to a stage that is removed, and then to production', () => {
  const { jobs } = Workflow.parse(parse(read('.github/workflows/deploy.yml')));
  expect(
    Object.entries(jobs).map(([name, { needs, environment }]) => [name, needs, environment]),
  ).toEqual([
    ['build', undefined, undefined],
    ['try', 'build', 'try'],
    ['production', 'try', 'production'],
  ]);
  const commands = (name: string) => jobs[name]?.steps.flatMap(({ run }) => run ?? []);
  const unpack = 'tar --zstd -xf "$RUNNER_TEMP/handbill.tar.zst"';
  expect(commands('try')).toEqual([
    unpack,
    'npm run deploy -- --stage try -c ephemeral=true -c REGISTRATION=closed --yes',
    'npm run destroy -- --stage try --yes',
  ]);
  expect(commands('production')).toEqual([unpack, 'npm run deploy -- --stage prod --yes']);
});

it('updates packages and actions every week', () => {
  const { updates } = parse(read('.github/dependabot.yml'));
  expect(
    updates.map((one: Record<string, unknown>) => [one['package-ecosystem'], one['schedule']]),
  ).toEqual([
    ['npm', { interval: 'weekly' }],
    ['github-actions', { interval: 'weekly' }],
  ]);
});
