import { testRules } from '../../../support/calendar/rules.ts';

testRules(200);
