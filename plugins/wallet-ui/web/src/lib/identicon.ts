// The picture of a party id, computed from the whole id: five by five cells, the same on the left
// as on the right, in a colour of its own.

interface Picture {
  /** Degrees. */
  readonly hue: number
  /** The filled cells as an SVG path: a single element, since lists draw dozens of pictures. */
  readonly path: string
}

const known = new Map<string, Picture>()
const MOST_KNOWN = 500

/** The same for the same text; a few hundred are remembered, since lists draw them again. */
export function identiconOf(text: string): Picture {
  const before = known.get(text)
  if (before !== undefined) return before
  const picture = draw(text)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(text, picture)
  return picture
}

function draw(text: string): Picture {
  const shape = hashed(text, 0x811c9dc5)
  let path = ''
  for (let x = 0; x < 3; x += 1) {
    for (let y = 0; y < 5; y += 1) {
      if (((shape >>> (x * 5 + y)) & 1) === 0) continue
      path += cellAt(x, y) + (x < 2 ? cellAt(4 - x, y) : '')
    }
  }
  return { hue: hashed(text, 0x01234567) % 360, path }
}

/** A unit from the edge; a little more than a unit wide, so that no light shines between two. */
function cellAt(x: number, y: number): string {
  return `M${x + 1} ${y + 1}h1.02v1.02h-1.02z`
}

/** FNV-1a, then mixed so that every bit counts. 32 bits. */
function hashed(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
