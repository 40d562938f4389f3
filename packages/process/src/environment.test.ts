// What of our environment a child gets.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { childEnvironment } from './environment.js';

const ours = Object.keys(childEnvironment({}, {}));
const passedOn = (name: string): boolean => /^(?:PATH|HOME|USER|LOGNAME|TZ|TMPDIR|SYSTEMROOT|COMSPEC|LANG|LANGUAGE|LC_[A-Z]+)$/.test(name);

test('law: whatever we were started with, only listed names are passed on', () => {
  const name = fc.oneof(fc.stringMatching(/^[A-Z_]{1,20}$/), fc.constantFrom('OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'GH_TOKEN', 'LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'ENV', 'SSH_AUTH_SOCK', 'PATH', 'LANG', 'LC_ALL'));
  fc.assert(fc.property(fc.dictionary(name, fc.string()), (source) => {
    for (const [key, value] of Object.entries(childEnvironment({}, source))) {
      if (passedOn(key) && Object.hasOwn(source, key)) expect(value).toBe(source[key]);
      else expect(ours).toContain(key);
    }
  }), { numRuns: 1000 });
});

test('what the caller gives is added, and wins', () => {
  expect(childEnvironment({ LANG: 'de_DE.UTF-8', EXTRA: '1' }, { LANG: 'C' })).toMatchObject({ LANG: 'de_DE.UTF-8', EXTRA: '1' });
});

test('without a PATH of ours there is one', () => {
  expect(childEnvironment({}, {})['PATH']).toContain('/usr/bin');
});
