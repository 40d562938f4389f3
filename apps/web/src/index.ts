// The public surface of @haft/web: named exports only.
export { type WebHost, type WebLimits, defaultLimits } from './server/web-host.js';
export { type WebServer, type WebServerOptions, startWebServer } from './server/web-server.js';
