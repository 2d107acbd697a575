/** Texts of the view of what two people have changed. */
export const conflictTexts = {
  changedBy: (name: string, age: string) => `${name} changed this ${age}`,
  changedBySomeone: (age: string) => `Someone changed this ${age}`,
  changedByYou: (age: string) => `You changed this elsewhere ${age}`,
  differ: (count: number) =>
    count === 1
      ? 'Nothing is lost. 1 place differs; choose what stays.'
      : `Nothing is lost. ${count} places differ; choose what stays.`,
  difference: (at: number, count: number) => `Difference ${at} of ${count}`,
  previous: 'Previous difference',
  next: 'Next difference',
  both: 'Both versions',
  yourVersion: 'Your version',
  yours: 'Yours',
  notSavedYet: 'not saved',
  theirVersion: (name: string) => `${name}’s version`,
  someonesVersion: 'The saved version',
  theirs: (name: string) => `${name}’s`,
  someones: 'The saved one',
  savedAt: (age: string) => `saved ${age}`,
  unchanged: (count: number) =>
    count === 1 ? '1 line is the same' : `${count} lines are the same`,
  moreLines: (count: number) => (count === 1 ? '1 more line' : `${count} more lines`),
  marks: { mine: 'Yours differs:', theirs: 'Differs from yours:' },
  useMine: 'Use mine',
  useTheirs: (name: string) => `Use ${name}’s`,
  useSaved: 'Use the saved one',
  keepBoth: 'Keep both',
  keepBothHint:
    'Keep both puts the two versions of each place one below the other, for you to tidy.',
  keepBothMerges: 'Keep both takes the changes of both: none are at the same place.',
} as const;
