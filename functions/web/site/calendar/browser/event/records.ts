import { signal } from '@preact/signals';
import { createRecords } from '../../../../browser/data/record-list.ts';
import type { CalendarEvent } from './record.ts';

/** The events that were saved on the page, whose versions an open form goes on from. */
export const records = createRecords<CalendarEvent>(signal(undefined));
