import { defineConfig } from '@haft/cli';
import { definePlugin, Param, Tool } from '@haft/core';
import { IsInt, Max, Min, MinLength } from 'class-validator';

@Tool('List the words that occur most often in a text.', { name: 'top_words', scopes: [] })
class TopWords {
  @Param('The text') @MinLength(1)
  text!: string;

  @Param('How many words to list') @IsInt() @Min(1) @Max(100)
  count: number = 3;

  execute() {
    const times = new Map<string, number>();
    for (const word of this.text.toLowerCase().match(/\p{L}+/gu) ?? []) times.set(word, (times.get(word) ?? 0) + 1);
    return [...times].sort((a, b) => b[1] - a[1]).slice(0, this.count).map(([word, uses]) => ({ word, uses }));
  }
}

const words = definePlugin({ name: 'words', tools: [TopWords] });

export default defineConfig({ model: 'offline', plugins: [words()] });
