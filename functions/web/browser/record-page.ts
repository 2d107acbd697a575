// The modules that show and change a record, which pages with lists load when they are needed. Each part that does imports
// this file, so they are loaded as one.
import './list-page.ts';
import './components/dialog.tsx';
import './components/drawer.tsx';
import './record/edit-form.tsx';
import './components/field.tsx';
import './data/form.ts';
import './record/conflict.tsx';
