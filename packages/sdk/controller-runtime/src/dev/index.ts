export { runOperatorDev } from "./run-operator-dev.ts";
