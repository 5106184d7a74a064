// Documents that are larger than the memory of the process allows are refused before they are
// parsed: V8 would give up after minutes, and say nothing of the document.
import { getHeapStatistics } from 'node:v8'

/** Bytes of memory for each byte of a document, as seen with documents of 13 and 35 MB. */
const MEMORY_PER_BYTE = 45

/** The reason why a document of so many bytes is not read; undefined where it is. */
export function tooLarge(bytes: number): string | undefined {
  const needed = bytes * MEMORY_PER_BYTE
  const limit = getHeapStatistics().heap_size_limit
  if (needed <= limit) return undefined
  return (
    `is too large, ${megabytes(bytes)}: it takes about ${megabytes(needed)} of memory, and this process may have ${megabytes(limit)}: ` +
    `set NODE_OPTIONS=--max-old-space-size=${Math.ceil(needed / 2 ** 20)}, or split it into several interfaces`
  )
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
