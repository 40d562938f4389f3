/** What is on record of one run, by key. */
export class RunRecords {
  readonly steps = new Map<string, unknown>();
  /** Call id → the attempt that claimed it. */
  readonly claims = new Map<string, string>();
  readonly signals = new Map<string, unknown>();
}
