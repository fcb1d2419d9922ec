export { getJson, getText, postJson, socketUrl, streamText } from "./api.ts";
export { ClusterView, type ClusterViewProps } from "./cluster-view.tsx";
export { browserClock, keepConnected } from "./keep-connected.ts";
export { Split, type SplitProps } from "./split.tsx";
export { StatusMark } from "./status-mark.tsx";
export { onThemeChange } from "./theme.ts";
export { ThemeSwitch } from "./theme-switch.tsx";
