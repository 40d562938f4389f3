/** The part of npm's version ranges that plugin manifests may use, and core's own version. */

/** The version of @haft/core, as in its package.json. */
export const coreVersion = '0.1.0';

type Version = readonly [number, number, number];

const comparator = /^(\^|~|>=|<=|>|<|=)?\s*v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?$/;

/**
 * Whether a version lies in a range: `^1.2.0`, `~1.2`, `1.x`, `>=1 <2`, `1.0.0 || 2.0.0`, `*`. Undefined for a range in any other form.
 * Pre-release versions are not told apart from the release.
 */
export function inRange(version: string, range: string): boolean | undefined {
  const exact = parseVersion(version);
  if (!exact) return undefined;
  const alternatives = range.split('||').map((alternative) => allHold(exact, alternative.trim()));
  return alternatives.includes(undefined) ? undefined : alternatives.includes(true);
}

function allHold(version: Version, text: string): boolean | undefined {
  if (text === '' || text === '*' || text === 'x') return true;
  const parts = text.replace(/(\^|~|>=|<=|>|<|=)\s+/g, '$1').split(/\s+/).map((part) => holds(version, part));
  return parts.includes(undefined) ? undefined : !parts.includes(false);
}

function holds(version: Version, part: string): boolean | undefined {
  const match = comparator.exec(part);
  if (!match) return undefined;
  const [, operator = '', major, minor, patch] = match;
  const given = [major, minor, patch].filter((number) => number !== undefined && /^\d+$/.test(number)).map(Number);
  const low: Version = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0];
  const order = compare(version, low);
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return given.length === 3 ? order > 0 : compare(version, next(low, given.length - 1)) >= 0;
    case '<':
      return order < 0;
    case '<=':
      return given.length === 3 ? order <= 0 : compare(version, next(low, given.length - 1)) < 0;
    case '~':
      return order >= 0 && compare(version, next(low, Math.min(given.length - 1, 1))) < 0;
    case '^':
      return order >= 0 && compare(version, next(low, leftmostNonZero(low, given.length))) < 0;
    default:
      return order >= 0 && compare(version, next(low, given.length - 1)) < 0;
  }
}

/** The first version in which the number at `place` is one higher. */
function next(version: Version, place: number): Version {
  return [0, 1, 2].map((index) => (index < place ? version[index] : index === place ? (version[index] ?? 0) + 1 : 0)) as unknown as Version;
}

function leftmostNonZero(version: Version, given: number): number {
  const place = version.findIndex((number) => number > 0);
  return place === -1 ? given - 1 : Math.min(place, given - 1);
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}
