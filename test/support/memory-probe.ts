// Loaded into the server before everything else: at SIGUSR2 it collects garbage and writes what is
// left to the file that the environment names, so that a test measures what is really held.
import { renameSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { eventuallyHolds } from './eventually.ts'

const FILE = 'MEMORY_PROBE'
const KIB = 1_024

export interface HeldMemory {
  readonly heapUsed: number
  /** Pages of the heap, also those that are free. */
  readonly heapTotal: number
  /** Buffers among others. */
  readonly external: number
  readonly rss: number
  /** The most it was since the start. */
  readonly peak: number
}

/** The environment of a server whose memory goes to the file. */
export function memoryProbe(file: string): NodeJS.ProcessEnv {
  return { [FILE]: file, NODE_OPTIONS: `--import=${import.meta.url}` }
}

/** Bytes, after a collection. */
export async function heldMemory(pid: number | undefined, file: string): Promise<HeldMemory> {
  await rm(file, { force: true })
  if (pid !== undefined) process.kill(pid, 'SIGUSR2')
  let text = ''
  await eventuallyHolds(
    'the server tells what it holds',
    async () => (text = await readFile(file, 'utf8').catch(() => '')) !== '',
  )
  return JSON.parse(text)
}

const file = process.env[FILE]
if (file !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  process.on('SIGUSR2', () => {
    if (typeof collect === 'function') collect()
    const { heapUsed, heapTotal, external, rss } = process.memoryUsage()
    const peak = process.resourceUsage().maxRSS * KIB
    writeFileSync(`${file}.part`, JSON.stringify({ heapUsed, heapTotal, external, rss, peak }))
    renameSync(`${file}.part`, file)
  })
}
