/**
 * Versions are decimal numbers that grow (KEP-5504). An event older than what is known, from a server that lags behind,
 * would put an old object in the place of a newer one. Of versions that are no numbers, nobody can say.
 */
export function isOlder(version: string, than: string): boolean {
  // Asked for each event, and true of hardly any: what they are is looked at last.
  const seemsOlder = version.length === than.length ? version < than : version.length < than.length;
  return seemsOlder && decimal.test(version) && decimal.test(than);
}

const decimal = /^[1-9]\d*$/;
