// Keccak-256 as it was before SHA-3, which pads otherwise: the platform has only the latter.
const RATE = 136
const ROUNDS = 24
const LANES = 25
const MASK = 0xffff_ffff_ffff_ffffn

/** Rotations of the lanes in the order in which `PLACES` visits them. */
const ROTATIONS = [
  1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
].map(BigInt)
const PLACES = [
  10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
]
const CONSTANTS = roundConstants()

/** The digest, 32 bytes. */
export function keccak256(bytes: Uint8Array): Buffer {
  const padded = Buffer.alloc((Math.floor(bytes.length / RATE) + 1) * RATE)
  padded.set(bytes)
  padded.writeUInt8(0x01, bytes.length)
  const last = padded.length - 1
  padded.writeUInt8(padded.readUInt8(last) | 0x80, last)
  const state = new BigUint64Array(LANES)
  for (let start = 0; start < padded.length; start += RATE) {
    for (let lane = 0; lane < RATE / 8; lane += 1)
      state[lane] = at(state, lane) ^ padded.readBigUInt64LE(start + 8 * lane)
    for (const constant of CONSTANTS) round(state, constant)
  }
  const digest = Buffer.alloc(32)
  for (let lane = 0; lane < 4; lane += 1) digest.writeBigUInt64LE(at(state, lane), 8 * lane)
  return digest
}

function round(state: BigUint64Array, constant: bigint): void {
  const parity = [0, 1, 2, 3, 4].map((x) =>
    [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(state, x + y), 0n),
  )
  for (let lane = 0; lane < LANES; lane += 1) {
    const left = parity[(lane + 4) % 5] ?? 0n
    const right = parity[(lane + 1) % 5] ?? 0n
    state[lane] = at(state, lane) ^ left ^ rotated(right, 1n)
  }
  let moving = at(state, 1)
  for (const [step, place] of PLACES.entries()) {
    const next = at(state, place)
    state[place] = rotated(moving, ROTATIONS[step] ?? 0n)
    moving = next
  }
  for (let y = 0; y < LANES; y += 5) {
    const row = state.slice(y, y + 5)
    for (let x = 0; x < 5; x += 1)
      state[y + x] = at(row, x) ^ (~at(row, (x + 1) % 5) & at(row, (x + 2) % 5) & MASK)
  }
  state[0] = at(state, 0) ^ constant
}

/** From a shift register of eight bits. */
function roundConstants(): readonly bigint[] {
  const constants: bigint[] = []
  let register = 1
  for (let index = 0; index < ROUNDS; index += 1) {
    let constant = 0n
    for (let bit = 0; bit < 7; bit += 1) {
      if ((register & 1) === 1) constant |= 1n << BigInt(2 ** bit - 1)
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0)
    }
    constants.push(constant)
  }
  return constants
}

function rotated(lane: bigint, by: bigint): bigint {
  return ((lane << by) | (lane >> (64n - by))) & MASK
}

function at(lanes: BigUint64Array, index: number): bigint {
  return lanes[index] ?? 0n
}
