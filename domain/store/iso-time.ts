/** A timestamp as the driver gives it, in RFC 3339; null stays null. */
export function isoTimeOf(given: string | Date | null): string | null {
  return given === null ? null : new Date(given).toISOString();
}
