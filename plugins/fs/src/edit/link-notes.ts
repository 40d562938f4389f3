/** What a result says of other names of a written file that keep the old content. */
export function linkNotes(brokenLinks: number): string[] {
  return brokenLinks === 0 ? [] : [`The file had ${brokenLinks} other ${brokenLinks === 1 ? 'name' : 'names'} (hard links) outside what may be changed here: the old content stays there, the link is broken.`];
}
