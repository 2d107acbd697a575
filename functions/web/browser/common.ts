// The modules that most pages use. Each page in Preact imports this file, so they are loaded as one.
import '@preact/signals';
import 'preact';
