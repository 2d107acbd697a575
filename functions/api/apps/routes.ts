import { appRoutes } from './app-routes.ts';
import { consentRoutes } from './consent-routes.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { registrationRoutes } from './registration-routes.ts';

export const routes = [
  ...appRoutes,
  ...consentRoutes,
  ...oauthRoutes,
  ...registrationRoutes,
  ...discoveryRoutes,
];
