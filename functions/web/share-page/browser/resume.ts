import { takeView } from './parts/kept-view.ts';

const address = takeView();
if (address !== undefined) location.replace(address);
