import type { ChartFlags } from "../helm/obtain-chart.ts";
import type { KindFlags } from "./ask-for-kind.ts";

/** The flags of `operator-sdk create api`. */
export interface CreateApiFlags extends KindFlags, ChartFlags {
  /** File of the CustomResourceDefinition of another project's kind. */
  externalApiPath?: string;
  /** What the API is made with. Default: TypeScript. */
  plugins?: string;
  resource?: boolean;
  controller?: boolean;
  /** Default: as the kind's other versions, else true. */
  namespaced?: boolean;
  force?: boolean;
}
