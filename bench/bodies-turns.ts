// Loaded into a server before anything else: measures each turn of the event loop in CPU time of
// its thread, which other work on the machine does not lengthen. SIGUSR2 writes the longest one
// since the last time, milliseconds, into the file that BENCH_TURNS names.
import { writeFileSync } from 'node:fs'

const file = process.env['BENCH_TURNS'] ?? ''
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
let since = cpuMs()
let longest = 0

function turn(): void {
  const now = cpuMs()
  longest = Math.max(longest, now - since)
  since = now
  setTimeout(turn, 1).unref()
}

process.on('SIGUSR2', () => {
  writeFileSync(file, longest.toFixed(1))
  longest = 0
})
turn()
