// The recorded conversation, played: no key, no network, the same answers each time.
import { fileURLToPath } from 'node:url';
import { startReplay } from '@haft/agent/testing';
import { expect, test } from '@jest/globals';
import { askWeather } from './weather.js';

test('compares the weather of two cities', async () => {
  const replay = await startReplay(fileURLToPath(new URL('weather.json', import.meta.url)));
  try {
    const result = await askWeather('Is it colder in Oslo or in Rome?', replay.url, 'no-key');
    expect(result.toolCalls.map(({ result }) => result.data)).toEqual(['-3 °C, snow', '21 °C, sun']);
    expect(result.text).toBe('It is colder in Oslo: -3 °C and snow, against 21 °C and sun in Rome.');
    expect(replay.differences).toEqual([]);
    expect(replay.left()).toBe(0);
  } finally {
    await replay.close();
  }
});
