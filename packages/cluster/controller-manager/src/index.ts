export type { Log } from "./controller.ts";
export {
  type ControllerManager,
  type ControllerManagerOptions,
  startControllerManager,
} from "./controller-manager.ts";
