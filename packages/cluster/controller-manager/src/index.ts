export type { Log } from "./controller.ts";
export {
  type ControllerManager,
  type ControllerManagerOptions,
  type ControllerName,
  startControllerManager,
} from "./controller-manager.ts";
