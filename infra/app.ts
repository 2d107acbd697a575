import { SettingError } from '../shared/runtime/settings.ts';
import { handbillApp } from './stack/handbill-app.ts';

try {
  handbillApp();
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
