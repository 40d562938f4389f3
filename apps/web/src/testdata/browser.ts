/** Debian's Chromium, headless, with an empty profile: `apt-get install chromium`. Tests fail without it. */
import { type Browser, chromium } from 'playwright-core';

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}
