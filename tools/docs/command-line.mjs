// docs/command-line.md: written text, with the flags and commands as the command itself knows them.
import { buildProgram } from '../../apps/cli/build/command/program.js';

export function commandLinePage() {
  const program = buildProgram(() => async () => undefined);
  return `${text.trim()}

## Commands

| command | what it does |
| --- | --- |
${commandsOf(program, 'haft').join('\n')}

\`haft COMMAND --help\` shows what each takes.

## Flags of every command

| flag | what it does |
| --- | --- |
${program.options.map(({ flags, description, argChoices }) => `| \`${flags}\` | ${description}${argChoices === undefined ? '' : `: ${argChoices.join(', ')}`} |`).join('\n')}
`;
}

function commandsOf(command, path) {
  return command.commands.flatMap((sub) => {
    const name = `${path} ${sub.name()}`;
    const words = sub.registeredArguments.map((argument) => (argument.required ? `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}` : `[${argument.name().toUpperCase()}]`));
    const own = sub.commands.length > 0 ? [] : [`| \`${[name, ...words].join(' ')}\` | ${sub.description()}${optionsOf(sub)} |`];
    return [...own, ...commandsOf(sub, name)];
  });
}

function optionsOf(command) {
  const flags = command.options.map(({ flags }) => `\`${flags}\``);
  return flags.length === 0 ? '' : ` (${flags.join(', ')})`;
}

const text = `# The command

This page is made by \`npm run docs\`: its tables are the command's own.

\`\`\`sh
haft                                  # talk in this folder
haft "what does src/index.ts do?"     # one answer, on stdout
git diff | haft -p "review this"      # a prompt about what is piped in
haft tools call read_file '{"path":"README.md"}' --json
\`\`\`

In a clone of the repository \`npm start -s -- …\` is the same as \`haft …\`; without \`-s\` npm writes two lines of its own on standard output.

## Streams and exit status

The answer is the only thing on standard output; tool lines, questions, notes and the footer go to standard error. \`--output-format json\` prints one object
\`{ text, status, turns, usage, cost?, toolCalls: [{ call, result }], sessionId, denials, error? }\`, \`stream-json\` one event a line. \`denials\`
lists the calls that were not allowed to run (\`{ callId, tool, code, message }\`): a run may be \`completed\` without them; where one had to be asked and nobody could be, \`error\` says so as well. A run that cannot begin (a wrong setting, a full disk) gives the same object, or the last event, with \`status\` \`failed\` and the code in \`error\`. Text of models, tools and files can never control the terminal: what
could, is shown in a visible form (\`^[\`, \`\\u{202e}\`); in JSON it is escaped.

| status | meaning |
| --- | --- |
| 0 | done |
| 1 | the run failed, or the tool's result was not a success |
| 2 | usage or configuration |
| 3 | no credentials |
| 4 | the provider failed, also after retries |
| 5 | something had to be asked and nobody could be (no terminal, no \`--yes\`) |
| 6 | a limit of turns, time or cost |
| 130, 143 | interrupted, terminated |

There is no log file: warnings and errors of tools, plugins and the server go to standard error in one line each, with \`--verbose\` whole and with the stack. What was called is in the audit log
(\`haft audit show\`).

With a prompt and a pipe, the piped text follows the prompt as a \`<stdin>\` block. A pipe that says nothing for two seconds is left out, and that is said; without a prompt it is waited for.

## The conversation

Enter sends. Alt-Enter, Ctrl-J, or Enter behind a \`\\\` begin a new line; a paste of several lines is one message. Up and Down go through the lines of the message, then through earlier messages that
begin with what is typed; Ctrl-R searches them. Tab completes slash commands and \`@files\`. Ctrl-G (or Ctrl-X Ctrl-E) opens the message in \`$VISUAL\` or \`$EDITOR\`; at a question, behind \`e\`, the arguments
of the call, one a line. If the editor fails, that is said and the text is as it was. The keys of Emacs and readline move and delete (Ctrl-A, Ctrl-E, Alt-B, Alt-F, Ctrl-K, Ctrl-U, Ctrl-W, Ctrl-Y; Ctrl-_ takes back).

Ctrl-C or Esc stops a turn (open calls get a cancelled result, the history stays valid), a second Ctrl-C leaves at once; at the prompt Ctrl-C clears the line, and two within two seconds at an empty one leave, as do
Ctrl-D, \`q\` and \`exit\`. Ctrl-O shows the last results in full, or, during a turn, what running tools print. \`/help\` or \`?\` lists the commands and keys.
\`/mode\`, or Shift-Tab, changes what happens without a rule (ask, auto-edit, read-only) from the next call on; \`haft -c\` shows the last question and answer of the conversation that goes on. Where a session's id is asked, its beginning will do.

On a terminal the answer is drawn as it comes: the block that is being written is drawn over until it is finished, code line by line, a table when it is whole. With \`NO_COLOR\` (or
\`--color never\`) it stays the Markdown that the model wrote. On a terminal that cannot move its cursor (\`TERM=dumb\`), in CI and in a pipe nothing is drawn over.

What is typed during a turn is seen below it. Enter sends a message to the model, which reads it with its next step; commands, \`q\` and the like wait for the end of the turn.
What waits is listed in order; when the turn is stopped it comes back to the prompt. Keys that only a prompt understands (arrows, Ctrl-D) wait for it, and so does all that is typed behind them.
The line of a call shows the beginning of its result, failures in full; Ctrl-O shows the rest, as the footer says where there is more.

\`@path\` in a message, also in a prompt of the command line, attaches what is there: a text file with its line numbers (\`@src/a.ts:10-20\` for some lines), an image as an image, a folder as a list. They are
read by \`read_file\` and \`list_dir\` through the permission rules, as when the model reads them: what is denied or outside the workspace is not attached, and that is said, as is what was attached. Of a
long file the first 2,000 lines or 50,000 characters go, of one message 20 files and 200,000 characters. \`@"two words.txt"\` names a file with blanks, \`\\@\` is just an at sign. What is piped in is
not looked through, and neither are messages sent during a turn.

A question shows the tool, what it touches, the diff or the command, and why it is asked. \`y\` is for this call, \`a\` for this session, \`p\` for good (take it back with \`/revoke\` or \`haft permissions revoke\`);
\`e\` edits the arguments, \`n\` or Esc declines, \`N\` declines with a reason that the model reads; Esc in an edit or a reason goes back to the question. Enter answers nothing, and neither does what was typed before the question appeared, or a paste.

Completion for the shell: \`source <(haft completion bash)\`, and the same for \`zsh\`; \`haft completion fish | source\`.`;
