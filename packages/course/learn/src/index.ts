export { interruptible } from "./interruptible.ts";
export { choosePages, listPages, type PageFile } from "./pages.ts";
export { repositoryRoot } from "./repository.ts";
