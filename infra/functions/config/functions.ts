import { accountFunctions } from './accounts.ts';
import { backgroundFunctions } from './background.ts';
import type { FunctionConfig, FunctionName } from './function-config.ts';
import { pageFunctions } from './pages.ts';
import { recordFunctions } from './records.ts';
import { sharingFunctions } from './sharing.ts';

/** The configuration of each function. A missing group is a type error. */
export const functionConfigs: Readonly<Record<FunctionName, FunctionConfig>> = {
  ...accountFunctions,
  ...recordFunctions,
  ...sharingFunctions,
  ...pageFunctions,
  ...backgroundFunctions,
};
