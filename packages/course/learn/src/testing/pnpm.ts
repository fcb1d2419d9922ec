import { findPnpm } from "@operator-path/walkthrough";

/** Reports whether a program that a test starts with this PATH, or as a script of pnpm, finds pnpm. */
export const hasPnpm = findPnpm(process.env) !== undefined;

/** For the name of a test that is skipped without pnpm. */
export const skippedWithoutPnpm = hasPnpm ? "" : " (skipped: pnpm is not on the PATH)";
