/** Whether this code runs from the sources of a checkout. Installed packages contain JavaScript. */
const inCheckout = import.meta.url.endsWith(".ts");

/** The command that starts and stops background clusters, for messages. */
export const clusterCommand = inCheckout ? "pnpm cluster" : "npx operator-path";
