import { render } from 'preact';
import { AuditLog } from './parts/page.tsx';
import { list } from './parts/state.ts';

render(<AuditLog />, document.getElementById('audit') as HTMLElement);
void list.load(1);
