import { UsageError } from './command.ts';

const LONGEST_IDEA = 5000;
/** What is read of standard input to say how long it is; it may never end. */
const MOST_READ = 10_000_000;

/**
 * The idea that a command was given: its one argument, or standard input for `-`.
 * @throws UsageError when there is none, more than one, or one that is too long
 */
export async function readIdea(command: string, positionals: readonly string[]): Promise<string> {
  if (positionals.length > 1) throw new UsageError('The idea is one argument: put it in quotes.');
  const idea = (positionals[0] === '-' ? await readStdin() : (positionals[0] ?? '')).trim();
  if (idea === '') throw new UsageError(`Say what the idea is: groundwork ${command} "an app that …".`);
  if (idea.length > LONGEST_IDEA) {
    const length = idea.length > MOST_READ ? `more than ${MOST_READ}` : idea.length;
    throw new UsageError(`The idea has ${length} characters; ${LONGEST_IDEA} is the most.`);
  }
  return idea;
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Type the idea; Ctrl-D on a line of its own ends it.\n');
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > MOST_READ) break;
  }
  return text;
}
