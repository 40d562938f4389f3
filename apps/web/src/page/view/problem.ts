/** The line that says what went wrong, until the next thing is tried. */
import { ApiError } from '../api.js';
import { byId } from '../dom.js';
import { words } from '../words.js';

export function showProblem(error: unknown): void {
  const line = byId('problem', HTMLElement);
  line.textContent = error instanceof ApiError && error.status === 401 ? words.noToken : error instanceof Error ? error.message : String(error);
  line.hidden = false;
}

export function hideProblem(): void {
  byId('problem', HTMLElement).hidden = true;
}
