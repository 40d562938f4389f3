// CSV as RFC 4180 describes it: quoted fields may hold commas, quotes (doubled) and line breaks.

/** The records; a line break at the very end adds none. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  for (let match = field.exec(text); match !== null && match[0] !== ''; match = field.exec(text)) {
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) records.push([...record, '']);
  return records;
}
