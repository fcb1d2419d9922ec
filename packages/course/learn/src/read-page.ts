import { readFileSync } from "node:fs";
import { UserError } from "@operator-path/cluster/user-error";
import { type Page, PageError, parsePage } from "@operator-path/walkthrough";
import type { PageFile } from "./pages.ts";

/** Reads and parses a page. Throws UserError for a malformed one. */
export function readPage({ path }: Pick<PageFile, "path">): Page {
  try {
    return parsePage(readFileSync(path, "utf8"), path);
  } catch (error) {
    throw error instanceof PageError ? new UserError(error.message) : error;
  }
}
