// What a check of `haft doctor` finds.

export interface Finding {
  /** What was looked at, e.g. `model`, `sandbox`. */
  name: string;
  /** `warning`: works, but not as well as it could. */
  status: 'ok' | 'warning' | 'problem';
  message: string;
  /** What mends it. */
  remedy?: string;
}

export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message };
}

export function warning(name: string, message: string, remedy?: string): Finding {
  return { name, status: 'warning', message, ...(remedy === undefined ? {} : { remedy }) };
}

export function problem(name: string, message: string, remedy?: string): Finding {
  return { name, status: 'problem', message, ...(remedy === undefined ? {} : { remedy }) };
}

/** A thrown error as a finding; its remedy is kept where it has one. */
export function problemOf(name: string, error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof Error && 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : undefined;
  return problem(name, message, remedy);
}
