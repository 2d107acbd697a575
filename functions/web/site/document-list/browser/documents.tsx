import { effect } from '@preact/signals';
import { render } from 'preact';
import { toNew } from '../view.ts';
import { Documents } from './parts/page.tsx';
import { list, view } from './parts/state.ts';

render(<Documents />, document.getElementById('documents') as HTMLElement);
void list.load(view.value.page);
effect(() => document.getElementById('new-document')?.setAttribute('href', toNew(view.value)));
