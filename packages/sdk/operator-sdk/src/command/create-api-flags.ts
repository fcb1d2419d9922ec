import type { ChartFlags } from "../helm/obtain-chart.ts";
import type { KindFlags } from "./ask-for-kind.ts";

/** The flags of `operator-sdk create api`. */
export interface CreateApiFlags extends KindFlags, ChartFlags {
  /** Path of the CRD of another project's kind. */
  externalApiPath?: string;
  /** Plugin that scaffolds the API. Default: TypeScript. */
  plugins?: string;
  resource?: boolean;
  controller?: boolean;
  /** Default: the same as in the kind's other versions, or true for a new kind. */
  namespaced?: boolean;
  force?: boolean;
}
