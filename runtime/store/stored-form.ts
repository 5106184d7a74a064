// The form of what facts hold, described once: the same words read it and write it.
import { z } from 'zod'

/** A whole number of any size; stored as text. */
export const whole = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), {
  decode: BigInt,
  encode: String,
})

/** Reads and writes the body of a fact. */
export interface StoredForm<T> {
  /** Throws for what `write` would not have written. */
  read(body: string): T
  write(value: T): string
}

export function storedForm<T>(form: z.ZodType<T>): StoredForm<T> {
  return {
    read: (body) => form.decode(JSON.parse(body)),
    write: (value) => JSON.stringify(form.encode(value)),
  }
}
