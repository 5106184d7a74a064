// Loaded into a server before everything else (`wrongClock` says how): the time of the day is what
// a file says, also for SQLite, as where the machine's clock is wrong. Time that passes is right.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Service } from './service.ts'

/** How a clock is wrong: by so many milliseconds, and from that moment on it may stand still. */
export interface Wrong {
  readonly byMs: number
  readonly stands?: boolean
}

const FILE = 'WRONG_CLOCK'

/** The environment of a server whose clock the file in `folder` sets. */
export async function wrongClock(
  folder: string,
  wrong: Wrong = { byMs: 0 },
): Promise<NodeJS.ProcessEnv> {
  const file = join(folder, 'wrong-clock.json')
  await writeFile(file, JSON.stringify(wrong))
  return { [FILE]: file, NODE_OPTIONS: `--import=${import.meta.url}` }
}

/** Sets the clock of a server that runs. */
export async function setClock(service: Service, folder: string, wrong: Wrong): Promise<void> {
  await wrongClock(folder, wrong)
  service.process.kill('SIGUSR2')
}

const file = process.env[FILE]
if (file !== undefined) {
  const right = Date.now
  let now = right
  const set = (): void => {
    const { byMs, stands = false }: Wrong = JSON.parse(readFileSync(file, 'utf8'))
    const still = right() + byMs
    now = stands ? () => still : () => right() + byMs
  }
  set()
  process.on('SIGUSR2', set)
  Date.now = () => now()
  const { default: Sqlite } = await import('better-sqlite3')
  const told = new WeakSet()
  Sqlite.prototype.prepare = new Proxy(Sqlite.prototype.prepare, {
    apply: (prepare, connection: InstanceType<typeof Sqlite>, given) => {
      if (!told.has(connection)) {
        told.add(connection)
        connection.function('unixepoch', { varargs: true }, () => Date.now() / 1_000)
      }
      return Reflect.apply(prepare, connection, given)
    },
  })
}
