/** Set in the environment of the operator's process until it has started. */
export const supervised = "OPERATOR_DEV_SUPERVISED";
