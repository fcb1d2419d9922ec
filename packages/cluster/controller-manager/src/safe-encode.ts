const safeCharacters = "bcdfghjklmnpqrstvwxz2456789";

/** Spells a text with letters and digits that cannot form a word (k8s.io/apimachinery util/rand.SafeEncodeString). */
export function safeEncode(text: string): string {
  return Array.from(text, (char) => safeCharacters[char.charCodeAt(0) % safeCharacters.length]).join("");
}
