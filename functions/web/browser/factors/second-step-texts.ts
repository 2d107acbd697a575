/** Texts that the script of the step after the password shows. */
export const secondStepTexts = {
  enterCode: 'Enter the code of 6 digits.',
  enterRecovery: 'Enter a recovery code, such as xxxx-xxxx.',
  incorrect: 'Incorrect code. Try again.',
  paused: (minutes: number) =>
    minutes === 1
      ? 'Too many incorrect codes. Try again in 1 minute.'
      : `Too many incorrect codes. Try again in ${minutes} minutes.`,
  confirmIn: (time: string) => `Confirm in ${time}`,
} as const;
