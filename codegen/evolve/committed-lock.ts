// The contracts lock as the last commit has it: a version that is in it has shipped.
import { readRevision } from '../diff/git.ts'
import { parseContractsLock } from './contracts-lock.ts'
import type { ContractsLock } from './contracts-lock.ts'

/** Undefined where there is no git, no commit, or no such file in it that can be read. */
export function committedLock(file: string): ContractsLock | undefined {
  const text = readRevision(file, 'HEAD')
  const lock = text === undefined ? undefined : parseContractsLock(text)
  return typeof lock === 'string' ? undefined : lock
}
