// ECDSA over secp256k1 for a digest that is given: the platform checks signatures of messages only,
// which it hashes itself.
const P = 2n ** 256n - 2n ** 32n - 977n
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
}

export interface Point {
  readonly x: bigint
  readonly y: bigint
}

/** Undefined is the point at infinity. */
type MaybePoint = Point | undefined

export interface Signature {
  readonly r: bigint
  readonly s: bigint
}

/** Whether the point is one of the curve. */
export function isOnCurve({ x, y }: Point): boolean {
  return x < P && y < P && mod(y * y - x * x * x - 7n, P) === 0n
}

/** Whether the key's owner signed the digest; only its first 32 bytes count. */
export function verifies({ r, s }: Signature, digest: Uint8Array, key: Point): boolean {
  if (r <= 0n || r >= N || s <= 0n || s >= N || !isOnCurve(key)) return false
  const hash = numberOf(digest.subarray(0, 32))
  const inverse = inverseOf(s, N)
  const sum = added(times(G, mod(hash * inverse, N)), times(key, mod(r * inverse, N)))
  return sum !== undefined && mod(sum.x, N) === r
}

/** The numbers of a signature in DER format; undefined where it is none. */
export function parseSignature(der: Uint8Array): Signature | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined
  const r = integerAt(der, 2)
  const s = r === undefined ? undefined : integerAt(der, r.end)
  if (r === undefined || s === undefined || s.end !== der.length) return undefined
  return { r: r.value, s: s.value }
}

function integerAt(der: Uint8Array, start: number): { value: bigint; end: number } | undefined {
  const length = der[start + 1] ?? 0
  const end = start + 2 + length
  if (der[start] !== 0x02 || length === 0 || length > 33 || end > der.length) return undefined
  const bytes = der.subarray(start + 2, end)
  return (bytes[0] ?? 0) >= 0x80 ? undefined : { value: numberOf(bytes), end }
}

function times(point: Point, factor: bigint): MaybePoint {
  let sum: MaybePoint
  let doubled: MaybePoint = point
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) sum = added(sum, doubled)
    doubled = added(doubled, doubled)
  }
  return sum
}

function added(a: MaybePoint, b: MaybePoint): MaybePoint {
  if (a === undefined) return b
  if (b === undefined) return a
  if (a.x === b.x && (a.y !== b.y || a.y === 0n)) return undefined
  const slope =
    a.x === b.x
      ? 3n * a.x * a.x * inverseOf(2n * a.y, P)
      : (b.y - a.y) * inverseOf(mod(b.x - a.x, P), P)
  const x = mod(slope * slope - a.x - b.x, P)
  return { x, y: mod(slope * (a.x - x) - a.y, P) }
}

/** By Euclid's algorithm. */
function inverseOf(value: bigint, modulus: bigint): bigint {
  let [r, next] = [modulus, mod(value, modulus)]
  let [t, step] = [0n, 1n]
  while (next !== 0n) {
    const quotient = r / next
    ;[r, next] = [next, r - quotient * next]
    ;[t, step] = [step, t - quotient * step]
  }
  return mod(t, modulus)
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus
  return rest < 0n ? rest + modulus : rest
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
}
