// Commands that wait for a person are refused, with what to use instead.
import { expect, test } from '@jest/globals';
import { interactiveHint, networkHint, refuseInteractive } from './interactive.js';

test.each(['vim', 'vim a.txt', 'sudo nano /etc/hosts', '/usr/bin/less README.md', 'top', 'htop -d 5', 'tmux', 'watch ls', 'emacs notes.org'])('%s is refused', (command) => {
  expect(refuseInteractive(command)).toMatch(/wants a terminal, and commands here have none: /);
});

test.each([
  'top -b -n 1', 'vim --version', 'emacs --batch -f x', 'echo vim', 'git log | less', 'cat top', 'grep -rn "vim" .', 'man ls', './vimify', 'node script.js', 'true && vim', "vim 'a b'", 'tmux ls', 'npm run watch', 'constructor', 'toString',
])('%s is let through', (command) => {
  expect(refuseInteractive(command)).toBeUndefined();
});

test.each([
  'fatal: could not read Username for \'https://example.org\': terminal prompts disabled', 'the input device is not a TTY', 'sudo: a terminal is required to read the password', 'top: failed tty get\nTERM environment variable not set.', 'haft: there is no terminal for an editor here',
])('the output %j gets a hint', (output) => {
  expect(interactiveHint(output)).toContain('non-interactive');
});

test('other output gets none', () => {
  expect(interactiveHint('error: terminal velocity exceeded\n3 tests failed')).toBeUndefined();
});

test('a host that was not reached gets a hint that says what is allowed', () => {
  expect(networkHint('curl: (6) Could not resolve host: example.org', [])).toMatch(/no network here; .*agent\.config\.ts/);
  expect(networkHint('npm error code ENOTFOUND', ['a.org'])).toContain('only a.org');
  expect(networkHint('not found', [])).toBeUndefined();
});
