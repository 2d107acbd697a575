import '../../../browser/common.ts';
import { render } from 'preact';
import { DocumentPage } from './parts/page.tsx';
import { load } from './parts/state.ts';

render(<DocumentPage />, document.getElementById('document') as HTMLElement);
void load();
