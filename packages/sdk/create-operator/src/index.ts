export { createOperator } from "./create-operator.ts";
