import { effect } from '@preact/signals';
import { render } from 'preact';
import { documentPageTexts as texts } from '../texts.ts';
import { writtenTitle } from './parts/editing.tsx';
import { DocumentActions, DocumentPage } from './parts/page.tsx';
import { load, source } from './parts/state.ts';

render(<DocumentPage />, document.getElementById('document') as HTMLElement);
render(<DocumentActions />, document.getElementById('document-actions') as HTMLElement);
effect(() => {
  const name = writtenTitle.value || (source.data.value?.title ?? texts.title);
  const heading = document.getElementById('document-name');
  if (heading) heading.textContent = name;
  document.title = document.title.replace(/.*(?= · )/, () => name);
});
void load();
