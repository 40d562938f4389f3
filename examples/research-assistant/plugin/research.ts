// The plugin: two tools that read.
import { definePlugin } from '@haft/core';
import { DraftCommitMessage } from './draft-commit-message.js';
import { ExtractTodoItems } from './extract-todo-items.js';

export const research = definePlugin({ name: 'research', tools: [ExtractTodoItems, DraftCommitMessage] });
