import bash from "@speed-highlight/core/languages/bash.js";
import diff from "@speed-highlight/core/languages/diff.js";
import docker from "@speed-highlight/core/languages/docker.js";
import go from "@speed-highlight/core/languages/go.js";
import js from "@speed-highlight/core/languages/js.js";
import json from "@speed-highlight/core/languages/json.js";
import make from "@speed-highlight/core/languages/make.js";
import ts from "@speed-highlight/core/languages/ts.js";
import yaml from "@speed-highlight/core/languages/yaml.js";
import type { ShjLanguageData } from "@speed-highlight/core/tokenize";

/** The languages of pages, by the names that fences use. */
export const languages: Readonly<Record<string, ShjLanguageData>> = {
  ...{ bash, sh: bash, diff, docker, dockerfile: docker, go, js, json, make, makefile: make },
  ...{ ts, typescript: ts, yaml, yml: yaml, "": [] },
};
