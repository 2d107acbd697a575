import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError, exitCodes } from '../error-mapping.ts';
import { interruption } from '../interruption.ts';

/**
 * Where assistants read skills, in the home folder and in a project.
 * https://code.claude.com/docs/en/skills https://developers.openai.com/codex/skills https://cursor.com/docs/skills
 * https://code.visualstudio.com/docs/agent-customization/agent-skills
 */
export const skillFolders = {
  claude: { home: '.claude/skills', project: '.claude/skills' },
  codex: { home: '.agents/skills', project: '.agents/skills' },
  cursor: { home: '.cursor/skills', project: '.cursor/skills' },
  vscode: { home: '.copilot/skills', project: '.github/skills' },
} as const;

/** Which skill to write, and where. */
export interface SkillOptions {
  readonly for: keyof typeof skillFolders;
  /** Into the working folder instead of the home folder. */
  readonly project?: true;
  /** Over a file that is another one. */
  readonly force?: true;
}

const timeoutMs = 15_000;

/** The most characters of a skill that are taken. */
const maxLength = 64 * 1024;

/** Fetches the skill of a service. @throws CliError if there is none */
const fetchSkill = async (url: string): Promise<string> => {
  const signal = AbortSignal.any([interruption, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(`${url}/skill.md`, { redirect: 'error', signal }).catch(
    () => undefined,
  );
  const text = await response?.text().catch(() => undefined);
  interruption.throwIfAborted();
  if (!response || text === undefined) {
    throw new CliError(`Can’t reach ${url}.`, exitCodes.unreachable);
  }
  if (!response.ok || !text.startsWith('---\n') || text.length > maxLength) {
    throw new CliError(
      `${url} has no skill. Check the address, or ask its operator to upgrade it.`,
    );
  }
  return text;
};

/** Writes a file as a whole. */
const replaceFile = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
};

/**
 * Writes the skill of a service where an assistant reads it, and returns what was done.
 * @throws CliError if there is another file, unless `force` is set
 */
export const installSkill = async (url: string, options: SkillOptions): Promise<string> => {
  const folders = skillFolders[options.for];
  const folder = options.project ? folders.project : join(homedir(), folders.home);
  const file = join(folder, 'handbill', 'SKILL.md');
  const text = await fetchSkill(url);
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (known === text) return `${file} is up to date.`;
  if (known !== undefined && !options.force) {
    throw new CliError(`${file} is another version, or was changed: --force replaces it.`);
  }
  await replaceFile(file, text);
  return `${known === undefined ? 'Wrote' : 'Replaced'} ${file}`;
};
