/** Whether this code runs from the sources of a checkout. Where the packages are installed, it is JavaScript. */
const inCheckout = import.meta.url.endsWith(".ts");

/** How a person calls the command that starts and stops background clusters, for messages. */
export const clusterCommand = inCheckout ? "pnpm cluster" : "npx operator-path";
