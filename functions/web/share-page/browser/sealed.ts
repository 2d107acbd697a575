// The page of a sealed share opens it here, with the key in the address: the service never gets that.
import { startGate } from './parts/sealed/gate.ts';

const place = document.querySelector<HTMLElement>('[data-sealed]');
if (place) startGate(place);
