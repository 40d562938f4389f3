// The flags that every command takes, as commander knows them.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { permissionModes } from '../config/settings.js';
import { oneOf } from './choice.js';

const together = (value: string, before: string[]): string[] => [...before, value];
const list = (value: string): string[] => value.split(',').map((item) => item.trim()).filter((item) => item !== '');

/** Adds the common flags; they may stand before or after a subcommand. */
export function addFlags(command: Command): Command {
  return command
    .option('-p, --print', 'answer once and leave, even on a terminal')
    .option('--cwd <dir>', 'work in this directory')
    .option('-m, --model <provider:model>', 'the model, or "offline"')
    .option('--config <file>', 'the config file in place of ./agent.config.ts')
    .addOption(oneOf(new Option('--output-format <format>', 'how the answer is written'), ['text', 'json', 'stream-json']).default('text'))
    .option('-y, --yes', 'approve what would be asked')
    .option('--allow <rule>', 'allow what the rule matches, e.g. "bash(git status)"; may be repeated', together, [])
    .option('--deny <rule>', 'deny what the rule matches; may be repeated', together, [])
    .addOption(oneOf(new Option('--permission-mode <mode>', 'what happens without a rule'), permissionModes))
    .option('--tools <names>', 'offer only these tools, separated by commas', list)
    .option('--max-turns <n>', 'stop after so many model turns', (text) => above(text, true))
    .option('--max-cost <n>', 'stop when the run has cost so many dollars', (text) => above(text, false))
    .option('-c, --continue', 'go on with the last session of this directory')
    .option('-r, --resume <id>', 'go on with this session')
    .option('--no-session', 'store nothing of this run')
    .option('--trust', "load this project's config without asking")
    .addOption(oneOf(new Option('--color <when>', 'colours'), ['auto', 'always', 'never']).default('auto'))
    .option('-q, --quiet', 'nothing but the answer and errors')
    .option('--verbose', 'more on stderr: reasons, timings, stacks of errors');
}

function above(text: string, whole: boolean): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value) && (!whole || Number.isInteger(value))) return value;
  throw new InvalidArgumentError(`It must be a ${whole ? 'whole ' : ''}number above 0.`);
}
