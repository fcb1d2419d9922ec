export { getJson, getText, postJson, socketUrl, streamText } from "./api.ts";
export { ClusterView, type ClusterViewProps } from "./cluster-view.tsx";
export { StatusMark } from "./status-mark.tsx";
export { ThemeSwitch } from "./theme-switch.tsx";
