/** The argument text of a past call, in the form that a provider takes back. */

/** Deeper than any tool's arguments: parsers of services give up at some depth, and so does writing such an object as JSON. */
const MAX_DEPTH = 100;

/** The arguments as an object. Text that is no JSON object of sensible depth (cut short, a list, a bare string) goes back visibly, under one key. */
export function argumentsObject(text: string): Record<string, unknown> {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  try {
    const value: unknown = JSON.parse(trimmed);
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isDeep(value, MAX_DEPTH)) return value as Record<string, unknown>;
  } catch {
    // Not JSON: the caller sends it as it is, under a key that says so.
  }
  return { INVALID_JSON: text };
}

/** The same as JSON text; sound text stays byte for byte. */
export function argumentsText(text: string): string {
  const object = argumentsObject(text);
  return 'INVALID_JSON' in object || text.trim() === '' ? JSON.stringify(object) : text;
}

/** Whether there are objects or lists more than `levels` within each other. */
function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}
