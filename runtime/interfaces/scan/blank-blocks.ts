// Which stretches of the ledger have nothing of a kind, as far as somebody has looked: whoever
// reads later steps over them, so that all requests together read a stretch once. A bit for each,
// so that a hundred million updates take 200 kB.

/** Offsets of a block; a block begins after a multiple of it. */
export const BLOCK = 64n

const BITS = 32
const FIRST_WORDS = 256
const FULL = 0xffff_ffff

/** The blank blocks of one ledger; forgotten with the process. */
export class BlankBlocks {
  #words = new Uint32Array(FIRST_WORDS)

  /** Nothing is in a block: all of its updates were looked at. */
  add(block: number): void {
    const word = Math.floor(block / BITS)
    if (word >= this.#words.length) {
      const words = new Uint32Array(Math.max(word + 1, 2 * this.#words.length))
      words.set(this.#words)
      this.#words = words
    }
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (block % BITS))
  }

  /** The first block from one on, in a direction, that may have something; -1 before all. */
  next(block: number, step: 1 | -1): number {
    let at = block
    while (at >= 0) {
      const word = this.#words[Math.floor(at / BITS)] ?? 0
      if (((word >>> (at % BITS)) & 1) === 0) return at
      const isWhole = word === FULL && at % BITS === (step === 1 ? 0 : BITS - 1)
      at += isWhole ? step * BITS : step
    }
    return -1
  }
}
