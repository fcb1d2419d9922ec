export type {
  CheckOutcome,
  Course,
  CoursePage,
  ExerciseAction,
  ExerciseOutcome,
  Outcome,
  PageEntry,
  TestOutcome,
} from "./course.ts";
export type { LearnerShell } from "./learner-terminal.ts";
export { type Memory, openMemory } from "./memory.ts";
export { type RunningWorkbench, type StartOptions, startWorkbench } from "./start-workbench.ts";
export { strings } from "./web/strings.ts";
