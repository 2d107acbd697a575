import { render } from 'preact';
import { may } from '../../../browser/shell/session.ts';
import { toUrl } from '../view.ts';
import { createFolder } from './parts/actions.ts';
import { Files } from './parts/page.tsx';
import { loadFiles, view } from './parts/state.ts';
import { acceptUploads } from './parts/upload-input.ts';

render(<Files />, document.getElementById('files') as HTMLElement);
void loadFiles();
if (may('files:create')) {
  const asked = new URLSearchParams(location.search);
  document.getElementById('new-folder')?.addEventListener('click', createFolder);
  acceptUploads();
  if (asked.has('new')) void createFolder();
  if (asked.has('upload')) document.getElementById('upload')?.focus();
  // Without it, a reload would ask again.
  history.replaceState(history.state, '', toUrl(view.value));
}
