// Hashes of topology: a purpose goes before the hashed bytes, so that a hash made for one thing
// never stands for another. docs/ledger-rules.md, "Topology"
import { createHash } from 'node:crypto'

export const purposes = {
  topologyTransaction: 11,
  publicKeyFingerprint: 12,
  decentralizedNamespace: 37,
  preparedSubmission: 48,
  multiTopologyTransaction: 55,
} as const

/** SHA-256 with 32 bytes, as the multihash format writes it. */
const SHA256_PREFIX = Uint8Array.of(0x12, 0x20)

/** The 34 bytes of a multihash over the purpose and the parts. */
export function multihash(purpose: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256').update(int32(purpose))
  for (const part of parts) hash.update(part)
  return Buffer.concat([SHA256_PREFIX, hash.digest()])
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** The signed hash of one transaction; `bytes` are those of its versioned wrapper. */
export function transactionHash(bytes: Uint8Array): Uint8Array {
  return multihash(purposes.topologyTransaction, bytes)
}

/**
 * What is signed of several transactions at once; order and repetition of the hashes do not matter.
 */
export function multiTransactionHash(transactionHashes: readonly Uint8Array[]): Uint8Array {
  const hashes = [...new Set(transactionHashes.map(hex))]
    .sort()
    .map((text) => Buffer.from(text, 'hex'))
  const parts = hashes.flatMap((bytes) => [int32(bytes.length), bytes])
  return multihash(purposes.multiTopologyTransaction, int32(hashes.length), ...parts)
}

/** The namespace of several owners; it depends on the set of them alone. */
export function decentralizedNamespace(owners: readonly string[]): string {
  const parts = [...new Set(owners)]
    .sort()
    .flatMap((owner) => [int32(Buffer.byteLength(owner)), Buffer.from(owner)])
  return hex(multihash(purposes.decentralizedNamespace, ...parts))
}

function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
