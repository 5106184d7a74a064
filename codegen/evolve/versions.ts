// Versions of contract packages: three numbers, compared as numbers.
import { compareText } from '../values.ts'

/** Older first: negative, zero or positive. Both must be of the form 1.2.3. */
export function compareVersions(a: string, b: string): number {
  return compareText(padded(a), padded(b))
}

function padded(version: string): string {
  return version
    .split('.')
    .map((part) => part.padStart(20, '0'))
    .join('.')
}
