// Seeds by the hundred: asking the system for 32 bytes at a time costs more than all other chance
// of a transaction.
const SEED_BYTES = 32
const SEEDS_AT_ONCE = 128

/**
 * A source of seeds of 32 bytes, each handed out once. `random` answers as many bytes as it is
 * asked for that nobody can guess.
 */
export function seedSource(random: (bytes: number) => Uint8Array): () => Uint8Array {
  let pool = new Uint8Array()
  let used = 0
  return () => {
    if (used === pool.length) {
      pool = new Uint8Array(random(SEED_BYTES * SEEDS_AT_ONCE))
      used = 0
    }
    used += SEED_BYTES
    return pool.subarray(used - SEED_BYTES, used)
  }
}
