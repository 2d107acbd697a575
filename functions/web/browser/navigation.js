import { can } from '../../../shared/permissions/permissions.ts';
import { byId } from './page.js';

/** Shows the moderation link in the header if the permissions allow moderation. @param {readonly string[]} permissions */
export const showModerationLink = (permissions) => {
  byId('moderation-link').hidden = !can(permissions, 'shares:manage');
};
