// What a person types to leave, besides /exit and Ctrl-D.

export const leaveWords: ReadonlySet<string> = new Set(['q', 'exit', 'quit']);
