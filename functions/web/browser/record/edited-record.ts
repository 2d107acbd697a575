// The modules of a record that is changed in a drawer. Each part that shows one imports this file, so they are loaded as one.
import '../record-page.ts';
import './form-footer.tsx';
import './record-drawer.tsx';
import './record-form.ts';
