/** Options of the plugin, as `fs({...})` takes them. */
import { Param } from '@haft/core';

export class FsOptions {
  @Param('How grep searches: by ripgrep where there is a binary for this platform and enough files, always by ripgrep, or by the built-in engine. The result is the same', {
    enum: ['auto', 'ripgrep', 'builtin'],
  })
  searcher: 'auto' | 'ripgrep' | 'builtin' = 'auto';
}
