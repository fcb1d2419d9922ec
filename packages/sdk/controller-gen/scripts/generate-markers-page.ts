/**
 * Writes docs/markers.md.
 *
 * node --conditions=@operator-path/source packages/sdk/controller-gen/scripts/generate-markers-page.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { markersPage } from "../src/testing/markers-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/markers.md"), markersPage());
