/** One word of a POSIX shell, in quotes only where it needs them. */
export function quote(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
