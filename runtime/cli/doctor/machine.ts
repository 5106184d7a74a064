// What `doctor` looks at on the machine itself.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Configuration } from '../../host/config/configuration.ts'
import type { Finding } from '../../host/findings.ts'
import { answerText } from '../../host/answer-text.ts'
import { isFolder } from '../../host/folder.ts'
import { member } from '../../host/member.ts'
import { messageOf } from '../../host/problem.ts'
import { originOf } from '../banner.ts'

/** Free room below which a ledger soon has none: bytes, or a share of the disk. */
const LEAST_FREE = { bytes: 1_073_741_824, share: 0.05 }
/** Permissions of group and others. */
const OTHERS = 0o077
const ASK_MS = 2_000
const MAX_BYTES = 65_536

export function nodeFinding(): Finding {
  const { node } = process.versions
  return { outcome: 'ok', text: `Node ${node}` }
}

/** Whether everything that the service writes has a place. */
export function folderFinding({ values: { data } }: Configuration): Finding {
  const there = nearestThere(data)
  if (!isFolder(there))
    return {
      outcome: 'fault',
      text: `${data} cannot be created: ${there} is a file`,
      advice: 'name another folder: --data or data',
    }
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch (error) {
    return {
      outcome: 'fault',
      text: `${data} cannot be written: ${messageOf(error)}`,
      advice: `make the service's user the owner: chown ${userName()} ${there}`,
    }
  }
  if (there !== data)
    return { outcome: 'ok', text: `${data} does not exist yet; the first start creates it` }
  const { mode } = statSync(data)
  if ((mode & OTHERS) === 0) return { outcome: 'ok', text: `${data} can be written` }
  return {
    outcome: 'warning',
    text: `other users can access ${data} (mode ${octal(mode)})`,
    advice: `chmod 700 ${data}`,
  }
}

/** How much room there is for data, logs and backups beside them. */
export async function diskFinding({ values: { data } }: Configuration): Promise<Finding> {
  const { bsize, bavail, blocks } = await statfs(nearestThere(data))
  const free = bavail * bsize
  const share = blocks === 0 ? 1 : bavail / blocks
  const text = `${(free / 1_073_741_824).toFixed(1)} GiB free (${Math.round(share * 100)} %) for ${data}`
  if (free >= LEAST_FREE.bytes && share >= LEAST_FREE.share) return { outcome: 'ok', text }
  return {
    outcome: 'warning',
    text,
    advice: 'free space, or prune (docs/operations.md): commits are rejected on a full disk',
  }
}

/** Whether the port is free, or a service of ours has it already. */
export async function portFinding(config: Configuration): Promise<Finding> {
  const { host, port } = config.values.server
  const place = `port ${port} on ${host}`
  const obstacle = await obstacleTo(host, port)
  if (obstacle === undefined) return { outcome: 'ok', text: `${place} is free` }
  if (obstacle === 'EADDRINUSE' && (await isServed(config)))
    return { outcome: 'ok', text: `the service runs at ${place}` }
  if (obstacle === 'EADDRINUSE')
    return {
      outcome: 'fault',
      text: `${place} is in use by another program`,
      advice: 'choose another: --port, PORT or server.port',
    }
  return {
    outcome: 'fault',
    text: `${place} cannot be listened on: ${obstacle}`,
    advice:
      obstacle === 'EACCES'
        ? 'choose one above 1023, or put a reverse proxy in front'
        : 'set server.host to an address of this machine',
  }
}

/** Answers why it cannot be listened on. */
function obstacleTo(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(String(member(error, 'code') ?? messageOf(error))))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

/** Whether a service of ours answers at the address of the configuration. */
export async function isServed({ values: { server } }: Configuration): Promise<boolean> {
  const origin = originOf(server.host, server.port)
  try {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(ASK_MS) })
    return (await answerText(answer, MAX_BYTES)).includes('readyz check')
  } catch {
    return false
  }
}

/** Files of secrets that others than their owner may read; one that says that all are fine. */
export function secretFindings({ secretFiles }: Configuration): readonly Finding[] {
  // Windows has no such modes.
  if (process.geteuid === undefined || secretFiles.size === 0) return []
  const open = [...secretFiles].flatMap(([path, file]): Finding[] => {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & OTHERS) === 0) return []
    return [
      {
        outcome: 'warning',
        text: `${path}: other users can read ${file} (mode ${octal(mode)})`,
        advice: `chmod 600 ${file}`,
      },
    ]
  })
  if (open.length > 0) return open
  return [{ outcome: 'ok', text: `${secretFiles.size} files, for their owner only` }]
}

/** The path itself, or the next one above it that is there. */
function nearestThere(path: string): string {
  const above = dirname(path)
  return existsSync(path) || above === path ? path : nearestThere(above)
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8)
}

function userName(): string {
  return String(process.geteuid?.() ?? '')
}
