export { type BundleWebOptions, bundleWeb, readBundle, writeBundle } from "./bundle-web.ts";
export {
  createUiServer,
  type UiRequest,
  type UiServer,
  type UiServerOptions,
} from "./server/create-ui-server.ts";
export type { PageOptions } from "./server/page.ts";
export { streamReply, textReply, UiError, type UiReply } from "./server/reply.ts";
export type { WebBundle, WebFile } from "./server/web-bundle.ts";
