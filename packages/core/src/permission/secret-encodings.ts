/** The forms in which a secret can turn up in text. */

/**
 * As it is · in JSON · percent-encoded (either case of digits, all or only what must be) · form-encoded · base64 and base64url
 * (at any of three alignments, so inside a longer encoded text too) · hex (either case) · HTML entities · quoted for a shell.
 */
export function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const percent = percentEncodeAll(bytes);
  const wellFormed = bytes.toString('utf8');
  const component = encodeURIComponent(wellFormed);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    escapeNonAscii(JSON.stringify(secret).slice(1, -1)),
    component,
    lowerPercent(component),
    percentEncodeReserved(component),
    lowerPercent(percentEncodeReserved(component)),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
    percent,
    percent.toLowerCase(),
    ...alignedBase64(bytes),
    hex,
    hex.toUpperCase(),
    escapeHtml(secret),
    escapeHtml(secret).replaceAll('&#39;', '&apos;'),
    secret.replaceAll("'", "'\\''"),
  ];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** The characters that `encodeURIComponent` leaves and RFC 3986 reserves. */
function percentEncodeReserved(text: string): string {
  return text.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function lowerPercent(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

function percentEncodeAll(bytes: Buffer): string {
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

function escapeNonAscii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** Only the characters that depend on the secret alone: what is before and after it may be anything. */
function alignedBase64(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64').replaceAll('=', '');
    const first = shift === 0 ? 0 : shift + 1;
    const whole = Math.floor(((bytes.length + shift) * 8) / 6);
    const inner = encoded.slice(first, whole);
    if (inner.length >= 6) forms.push(inner, inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}
