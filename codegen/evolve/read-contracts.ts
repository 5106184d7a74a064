// Contracts as the pipeline takes them: the document, held against the lock beside it.
import { existsSync, readFileSync } from 'node:fs'
import type { Finding } from '../findings.ts'
import { hasErrors } from '../findings.ts'
import { loadContracts } from '../load/contracts.ts'
import type { LoadedContracts } from '../load/contracts.ts'
import type { Source } from '../load/source.ts'
import { committedLock } from './committed-lock.ts'
import { lockFileOf, parseContractsLock, printContractsLock } from './contracts-lock.ts'
import type { ContractsLock } from './contracts-lock.ts'
import { judgeContracts } from './judge.ts'

export interface ReadContracts {
  readonly loaded: LoadedContracts
  /** Findings of the document and of the lock. */
  readonly findings: readonly Finding[]
  /** The lock with the shapes of now. */
  readonly lock: ContractsLock
  /** The lock's file as it has to be. */
  readonly lockFile: { readonly file: string; readonly bytes: Uint8Array }
}

/**
 * Reads the document and the lock. Problems come back as findings, never thrown; nothing is
 * written.
 */
export function readContracts(document: string, read: (file: string) => Source): ReadContracts {
  const loaded = loadContracts(document, read)
  const file = lockFileOf(document)
  const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const former = found === undefined ? new Map() : parseContractsLock(found)
  const kept = { loaded, lock: new Map(), lockFile: { file, bytes: Buffer.from(found ?? '') } }
  if (typeof former === 'string') {
    const at = { file, line: 1, column: 1, pointer: '' }
    return {
      ...kept,
      findings: [
        ...loaded.findings,
        { severity: 'error', rule: 'contract-lock', message: former, at },
      ],
    }
  }
  if (hasErrors(loaded.findings)) return { ...kept, findings: loaded.findings }
  const { findings, lock } = judgeContracts(loaded, former, () => committedLock(file))
  const bytes = Buffer.from(printContractsLock(lock))
  return { loaded, lock, lockFile: { file, bytes }, findings: [...loaded.findings, ...findings] }
}
