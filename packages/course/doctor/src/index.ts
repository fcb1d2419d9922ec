export { type ExamineOptions, examine, missingFor } from "./examine.ts";
export { type Finding, type Goal, goals, type Mend, type Purpose, type State } from "./finding.ts";
export { type Machine, thisMachine } from "./machine.ts";
export { installPrograms } from "./mending/install-programs.ts";
export { type ReportOptions, report } from "./report/report.ts";
export { detectSystem, families, type System, systemOf } from "./system.ts";
