import { getDeviceFamily } from '../../../../shared/auth/device.ts';
import { commonTexts as texts } from '../texts.ts';

/** Names the browser and system of a user agent, such as "Chrome on Linux". */
export const formatDevice = (userAgent: string | null): string => {
  if (!userAgent) return texts.unknownDevice;
  return getDeviceFamily(userAgent) ?? userAgent.slice(0, 40);
};
