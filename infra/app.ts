import { SettingError } from '../shared/runtime/settings.ts';
import { buildArtefacts } from './build/artefacts.ts';

try {
  await buildArtefacts();
  // The stack imports the routes, which import artefacts.
  const { handbillApp } = await import('./stack/handbill-app.ts');
  handbillApp();
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
