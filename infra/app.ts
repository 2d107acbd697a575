import { SettingError } from '../shared/runtime/settings.ts';
import { buildArtefacts } from './build/artefacts.ts';

try {
  await buildArtefacts();
  // The stack imports the routes, which import artefacts.
  const { createApp } = await import('./stack/handbill-app.ts');
  createApp();
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
