// Runs of the driver in a process of its own, for tests: connections that fetches of key sets keep
// would hold theirs.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url))

/** Fails with what is found; answers what is printed. */
export async function assertSound(
  options: Readonly<Record<string, string>>,
  say: (line: string) => void,
  ...flags: readonly string[]
): Promise<string> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...flags, ...args]).catch(
    (error: unknown) => assert.fail(Object(error).stdout || String(error)),
  )
  say(stdout.trim().split('\n').at(-1) ?? '')
  return stdout
}
