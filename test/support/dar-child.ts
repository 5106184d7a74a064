// Reads one DAR, payloads too, and tells by how much the process grew: the peak of a process of its
// own is the only figure that other tests cannot disturb.
import { readFileSync } from 'node:fs'
import { LedgerError } from '../../runtime/errors/errors.ts'
import { readDar } from '../../runtime/participant/packages/index.ts'
import { FORMAT } from './dar-writer.ts'

/** A child's maxRSS begins with its parent's; the kernel's own mark is per program. */
function peakBytes(): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

const [path = ''] = process.argv.slice(2)
const before = peakBytes()
const started = performance.now()
const dar = await readDar(path, { manifestFormat: FORMAT })
if (dar instanceof LedgerError) throw new Error(`${dar.code} ${JSON.stringify(dar.params)}`)
let bytes = 0
for (const each of dar.packages) bytes += (await each.readPayload()).length
dar.close()
const ms = Math.round(performance.now() - started)
process.stdout.write(
  JSON.stringify({ packages: dar.packages.length, bytes, grownBytes: peakBytes() - before, ms }),
)
