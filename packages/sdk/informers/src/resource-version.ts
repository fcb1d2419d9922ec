/**
 * Returns whether a resourceVersion is older than another. Versions are increasing decimal numbers
 * (KEP-5504). If one is not a number, returns false: their order is unknown.
 *
 * An older event comes from a server that lags behind. It would overwrite a newer object.
 */
export function isOlder(version: string, than: string): boolean {
  // Called for every event, and hardly ever true: so compare first and check the format last.
  const seemsOlder = version.length === than.length ? version < than : version.length < than.length;
  return seemsOlder && decimal.test(version) && decimal.test(than);
}

const decimal = /^[1-9]\d*$/;
