import { hasColors } from "@operator-path/walkthrough";
import { createColors } from "picocolors";

/** The colours of stdout. Without a terminal, texts stay as they are. */
export const colors = createColors(hasColors(process.stdout, process.env));
