// Halves pictures of screens: 256 colours at most, kept exactly where there are no more, else the
// nearest.
import assert from 'node:assert/strict'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = 8
const COLOURS = 256
const FREQUENT = 160

interface Pixels {
  readonly width: number
  readonly height: number
  /** Three bytes a pixel. */
  readonly bytes: Buffer
}

/**
 * Of a PNG as Chromium writes it (8 bits, red, green, blue, not interlaced), one with a palette.
 */
export function withPalette(png: Buffer): Buffer {
  const { width, height, bytes } = decode(png)
  const palette = paletteOf(bytes)
  const nearest = new Map(palette.map((colour, at) => [colour, at]))
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = bytes.readUIntBE((y * width + x) * 3, 3)
      const index = nearest.get(colour) ?? nearestOf(palette, colour)
      nearest.set(colour, index)
      rows[y * (width + 1) + 1 + x] = index
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.concat(
    palette.map((colour) => Buffer.from([colour >> 16, (colour >> 8) & 255, colour & 255])),
  )
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([png.subarray(0, SIGNATURE), ...chunks])
}

/**
 * The most frequent colours and those least like them, so that a thin line keeps its own; sorted,
 * for the same bytes each time.
 */
function paletteOf(bytes: Buffer): readonly number[] {
  const counts = new Map<number, number>()
  for (let at = 0; at < bytes.length; at += 3) {
    const colour = bytes.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const all = [...counts]
    .toSorted(([a, countA], [b, countB]) => countB - countA || a - b)
    .map(([colour]) => colour)
  const palette = all.slice(0, FREQUENT)
  let rest = all.slice(FREQUENT).map((colour) => ({
    colour,
    away: Math.min(...palette.map((other) => distance(colour, other))),
  }))
  while (rest.length > 0 && palette.length < COLOURS) {
    const { colour: next } = rest.reduce((a, b) => (b.away > a.away ? b : a))
    palette.push(next)
    rest = rest
      .filter(({ colour }) => colour !== next)
      .map(({ colour, away }) => ({ colour, away: Math.min(away, distance(colour, next)) }))
  }
  return palette.toSorted((a, b) => a - b)
}

function nearestOf(palette: readonly number[], colour: number): number {
  const distances = palette.map((other) => distance(colour, other))
  return distances.indexOf(Math.min(...distances))
}

function distance(a: number, b: number): number {
  return (
    Math.abs((a >> 16) - (b >> 16)) +
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) +
    Math.abs((a & 255) - (b & 255))
  )
}

function chunk(name: string, data: Buffer): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(name), data])
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

function decode(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  assert.deepEqual([...png.subarray(24, 29)], [8, 2, 0, 0, 0])
  const packed: Buffer[] = []
  for (let at = SIGNATURE; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const start = at + 8
    if (png.toString('latin1', at + 4, start) === 'IDAT')
      packed.push(png.subarray(start, start + png.readUInt32BE(at)))
  }
  return { width, height, bytes: unfiltered(inflateSync(Buffer.concat(packed)), width * 3, height) }
}

/** Each row begins with the name of the filter that it went through. */
function unfiltered(rows: Buffer, size: number, height: number): Buffer {
  const bytes = Buffer.alloc(size * height)
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (size + 1)] ?? 0
    for (let x = 0; x < size; x += 1) {
      const at = y * size + x
      const left = x < 3 ? 0 : (bytes[at - 3] ?? 0)
      const up = y === 0 ? 0 : (bytes[at - size] ?? 0)
      const corner = x < 3 || y === 0 ? 0 : (bytes[at - size - 3] ?? 0)
      bytes[at] = (rows[y * (size + 1) + 1 + x] ?? 0) + predicted(filter, { left, up, corner })
    }
  }
  return bytes
}

function predicted(
  filter: number,
  { left, up, corner }: { readonly left: number; readonly up: number; readonly corner: number },
): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, corner)
    default:
      return 0
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
