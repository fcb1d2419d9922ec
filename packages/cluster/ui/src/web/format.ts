/**
 * Returns the time of day, with milliseconds if they matter: 12:03:05. `toLocaleTimeString` would take a visible part
 * of each frame.
 */
export function timeOf(at: number, milliseconds = false): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const text = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return milliseconds ? `${text}.${String(Math.floor(at) % 1000).padStart(3, "0")}` : text;
}

/** Returns an age as kubectl prints it: 45s, 12m, 3h, 5d. */
export function ageOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
