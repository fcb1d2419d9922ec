export { type Checklist, type ChecklistOptions, openChecklist } from "./checklist.ts";
