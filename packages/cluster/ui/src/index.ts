export { type BundleWebOptions, bundleWeb, readBundle, writeBundle } from "./bundle-web.ts";
export type { History } from "./cluster/history.ts";
export type { ObjectVersion } from "./cluster/object-versions.ts";
export {
  type ClusterModel,
  type ClusterModelOptions,
  openClusterModel,
} from "./cluster/open-cluster-model.ts";
export { type ServeClusterOptions, serveCluster } from "./cluster/serve-cluster.ts";
export type { ModelListener } from "./cluster/timeline.ts";
export {
  beat,
  type ClusterName,
  type EventView,
  type KindState,
  type ObjectStatus,
  type ObjectView,
  type Owner,
  type ReconcileView,
  type TimelineEntry,
  type Tone,
} from "./cluster/wire.ts";
export { openBrowser } from "./open-browser.ts";
export {
  type ClusterPage,
  type ClusterPageOptions,
  clusterBundle,
  openClusterPage,
} from "./open-cluster-page.ts";
export { followReconciles } from "./reconciles/follow-reconciles.ts";
export { writeReconcilePreload } from "./reconciles/record-reconciles.ts";
export {
  createUiServer,
  type UiRequest,
  type UiServer,
  type UiServerOptions,
} from "./server/create-ui-server.ts";
export type { PageOptions } from "./server/page.ts";
export { streamReply, textReply, UiError, type UiReply } from "./server/reply.ts";
export type { WebBundle, WebFile } from "./server/web-bundle.ts";
