import { showLocalTimes } from './parts/times.ts';

showLocalTimes();
