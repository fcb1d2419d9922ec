/** 64 hexadecimal digits, as container runtimes number containers. */
export function randomId(random: () => number): string {
  return Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join("");
}
