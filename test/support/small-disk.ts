// A small file system for tests of a full disk, where this process may mount one.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { member } from '../../runtime/host/member.ts'

/** Mounts it over a folder; answers why that cannot be done. */
export function mountSmall(folder: string, size: string): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `a file system of its own cannot be mounted here: ${error instanceof Error ? error.message.split('\n')[0] : ''}`
  }
}

/** Writes until there is no room. */
export async function fillDisk(file: string): Promise<void> {
  for (const size of [1_048_576, 4_096])
    for (let isFull = false; !isFull;)
      await appendFile(file, Buffer.alloc(size)).catch((error: unknown) => {
        assert.equal(member(error, 'code'), 'ENOSPC')
        isFull = true
      })
}
