import { passkeyTexts as texts } from './texts.ts';

/** Why a passkey could not be made or used. */
export type PasskeyProblem = keyof typeof texts;

/** A passkey that the browser or the device could not make or use. Its message can be shown to the user. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
  readonly problem: PasskeyProblem;

  constructor(problem: PasskeyProblem, cause?: unknown) {
    super(texts[problem], { cause });
    this.problem = problem;
  }
}
