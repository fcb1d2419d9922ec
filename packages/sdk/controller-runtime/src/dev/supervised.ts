/** In the environment of the operator's process, until it has begun. */
export const supervised = "OPERATOR_DEV_SUPERVISED";
