// Loaded into the service before everything else: keeps how much CPU time each turn of the event
// loop took, which other work on the machine hardly changes, and writes it to the file that the
// environment names at SIGURG. The loop sleeps as it does without it: how idle it is may have a say
// in what the service does.
import { renameSync, writeFileSync } from 'node:fs'

const FILE = 'TURN_PROBE'
const MICROS = 1_000
/** Milliseconds up to which a turn keeps nobody waiting. */
const LONG_MS = 4

/** The environment of a service whose turns go to the file. */
export function turnProbe(file: string): NodeJS.ProcessEnv {
  return { [FILE]: file }
}

const file = process.env[FILE]
if (file !== undefined) {
  let before = process.threadCpuUsage()
  let long: number[] = []
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    const ms = (user + system) / MICROS
    if (ms >= LONG_MS) long.push(ms)
    setImmediate(look).unref()
  }
  setImmediate(look).unref()
  process.on('SIGURG', () => {
    writeFileSync(`${file}.part`, JSON.stringify(long))
    renameSync(`${file}.part`, file)
    long = []
  })
}
