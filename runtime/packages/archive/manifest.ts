// The manifest of a DAR: which entries are packages, and which is the main one. JAR rules: lines
// end at 72 bytes and go on after a leading blank, so lines are joined as bytes before they are
// text. docs/ledger-rules.md, "Packages"
export const MANIFEST_ENTRY = 'META-INF/MANIFEST.MF'

export interface Manifest {
  /** The entry of the main package. */
  readonly main: string
  /** All entries with packages, the main one included, each once. */
  readonly archives: readonly string[]
}

/**
 * `format` is the value that the attribute Format must have; any, when absent. Throws with the
 * reason.
 */
export function readManifest(bytes: Uint8Array, format?: string): Manifest {
  const attributes = mainAttributes(bytes)
  const stated = attribute(attributes, 'Format')
  if (format !== undefined && stated !== format)
    throw new Error(`Unsupported dar format: ${stated.slice(0, 100)}`)
  const main = attribute(attributes, 'Main-Dalf')
  const archives = [
    ...new Set(
      attribute(attributes, 'Dalfs')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ]
  if (!archives.includes(main)) throw new Error('Main-Dalf is not listed in Dalfs')
  return { main, archives }
}

function attribute(attributes: ReadonlyMap<string, string>, name: string): string {
  const value = attributes.get(name.toLowerCase())?.trim()
  if (value === undefined || value === '') throw new Error(`Manifest has no ${name}`)
  return value
}

/** The attributes before the first empty line, by name in lower case. */
function mainAttributes(bytes: Uint8Array): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const line of joinedLines(bytes)) {
    const [, name, value] = /^([A-Za-z0-9][A-Za-z0-9_-]{0,69}): (.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new Error('Manifest has a line that is not an attribute')
    if (attributes.has(name.toLowerCase())) throw new Error(`Manifest has two of ${name}`)
    attributes.set(name.toLowerCase(), value)
  }
  return attributes
}

function joinedLines(bytes: Uint8Array): string[] {
  const lines: string[] = []
  // Latin-1 keeps each byte one character, so that a character cut by a line's end is whole again
  // when its bytes are joined.
  for (const line of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .split(/\r\n|\n|\r/)) {
    if (line === '') break
    const previous = lines.length - 1
    if (!line.startsWith(' ')) lines.push(line)
    else if (previous < 0) throw new Error('Manifest begins with a continuation')
    else lines[previous] += line.slice(1)
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return lines.map((line) => decoder.decode(Buffer.from(line, 'latin1')))
}
