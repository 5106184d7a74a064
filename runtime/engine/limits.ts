// How large the parts of payloads and arguments may be: checked where something new is written,
// never where it is read.
import { invalid } from './interrupt.ts'
import type { Codec } from './template.ts'

/**
 * Halts as invalid where a part of `value` is larger than the document allows; `name` says of what
 * it is a part.
 */
export function demandLimits<T>(codec: Codec<T>, value: T, name: string): void {
  if (codec.check === undefined) return
  try {
    codec.check(value, name)
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error))
  }
}
