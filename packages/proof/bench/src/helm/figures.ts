/** Of the reconciles of an operator that had nothing to do. */
export interface OperatorFigures {
  /** Milliseconds of processor time a reconcile, in all of the operator's threads. */
  readonly cpu: number;
  readonly reconciles: number;
  /** Of helm, meanwhile. */
  readonly processes: number;
  /** To the API server, meanwhile. */
  readonly requests: number;
}
