import type { Report } from "../problem.ts";
import type { Project } from "../source/project.ts";
import type { Declaration } from "../source/source-file.ts";
import type { Schema } from "./schema.ts";

/** The settings and look-ups that turn types into schemas. */
export interface TypeContext {
  readonly project: Project;
  /** Whether floats are allowed. */
  readonly allowDangerousTypes: boolean;
  readonly report: Report;
  /** The schema of a declaration, for the JSON type of an alias. */
  readonly declared: (declaration: Declaration) => Schema;
}
