export type {
  CheckOutcome,
  Course,
  CoursePage,
  ExerciseAction,
  Outcome,
  PageEntry,
} from "./course.ts";
export type { LearnerShell } from "./learner-terminal.ts";
export { type Memory, openMemory } from "./memory.ts";
export { type RunningWorkbench, type StartOptions, startWorkbench } from "./start-workbench.ts";
