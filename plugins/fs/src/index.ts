// The public surface of @haft/plugin-fs: named exports only.
export { ChangeHistory } from './edit/change-history.js';
export { Edit, EditFile } from './edit/edit-file.js';
export type { EditResult } from './edit/edit-text.js';
export { Glob } from './glob/glob.js';
export type { GlobResult } from './glob/find-files.js';
export { type FsToolName, fs } from './fs-plugin.js';
export { Grep } from './grep/grep.js';
export type { SearchMatch } from './grep/search-file.js';
export type { SearchResult } from './grep/search-tree.js';
export { FsOptions } from './fs-options.js';
export { ListDir } from './list/list-dir.js';
export type { ListResult } from './list/list-tree.js';
export { ReadFile } from './read/read-file.js';
export type { ReadImageResult } from './read/read-image.js';
export type { ReadTextResult } from './read/read-text.js';
export { WriteFile, type WriteResult } from './write/write-file.js';
