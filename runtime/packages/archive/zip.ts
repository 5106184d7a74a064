// The zip of a DAR, read by position: the directory is checked as a whole before anything is
// inflated, and no size in a header is trusted. docs/ledger-rules.md, "Packages"
import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { UnreadableDar } from './unreadable-dar.ts'

const MEBIBYTE = 1024 * 1024

export interface ZipLimits {
  readonly maxEntries: number
  /** Inflated size that one entry must stay below, bytes. */
  readonly maxEntryBytes: number
  /** Inflated size of all entries together, bytes. */
  readonly maxTotalBytes: number
  /**
   * Inflated to stored size, of the whole file, once the inflated size is past `ratioFreeBytes`.
   */
  readonly maxRatio: number
  readonly ratioFreeBytes: number
}

export const defaultZipLimits: ZipLimits = {
  maxEntries: 10_000,
  maxEntryBytes: 1024 * MEBIBYTE,
  maxTotalBytes: 2048 * MEBIBYTE,
  maxRatio: 200,
  ratioFreeBytes: 16 * MEBIBYTE,
}

/** The entries of an open zip by name. */
export class Zip {
  readonly #file: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  constructor(file: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file
    this.#entries = entries
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /**
   * Inflates one entry into memory. Throws UnreadableDar: INVALID_ZIP_ENTRY when it is absent or
   * damaged, ZIP_BOMB when it is too large.
   */
  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw this.#invalid(name)
    if (entry.uncompressedSize >= maxBytes)
      throw bomb(`entry ${name} has ${maxBytes} bytes or more`)
    try {
      const header = await this.#file.readLocalFileHeaderPromise(entry)
      if (!header.fileName.equals(entry.fileNameRaw))
        throw new Error('the name differs from the directory')
      return await this.#inflate(name, entry)
    } catch (problem) {
      rethrowSystemError(problem)
      throw problem instanceof UnreadableDar ? problem : this.#invalid(name)
    }
  }

  async #inflate(name: string, entry: Entry): Promise<Uint8Array> {
    // Memory that is never written to is never paid for: a stated size costs nothing until the
    // bytes come.
    const bytes = Buffer.allocUnsafeSlow(entry.uncompressedSize)
    let [size, checksum] = [0, 0]
    const chunks: AsyncIterable<Buffer> = await this.#file.openReadStreamPromise(entry)
    for await (const chunk of chunks) {
      if (size + chunk.length > bytes.length)
        throw bomb(`entry ${name} inflates to more than it states`)
      bytes.set(chunk, size)
      size += chunk.length
      checksum = crc32(chunk, checksum)
    }
    if (size !== bytes.length || checksum !== entry.crc32) throw new Error('the checksum differs')
    return bytes
  }

  close(): void {
    this.#file.close()
  }

  #invalid(name: string): UnreadableDar {
    const facts = { name, entries: this.names }
    return new UnreadableDar('INVALID_ZIP_ENTRY', facts, `entry ${name} is absent or damaged`)
  }
}

/**
 * Opens a zip and judges its directory. Throws UnreadableDar: INVALID_DAR for what is no zip,
 * INVALID_ZIP_ENTRY for names that lead elsewhere, repeat or cannot be read, ZIP_BOMB past the
 * limits.
 */
export async function openZip(path: string, limits: ZipLimits): Promise<Zip> {
  const file = await openFile(path)
  try {
    return new Zip(file, await readDirectory(file, limits))
  } catch (problem) {
    file.close()
    if (problem instanceof UnreadableDar) throw problem
    throw invalidDar(problem)
  }
}

async function openFile(path: string): Promise<ZipFile> {
  try {
    const file = await yauzl.openPromise(path, {
      autoClose: false,
      lazyEntries: true,
      decodeStrings: false,
      validateEntrySizes: false,
    })
    file.on('error', () => undefined)
    return file
  } catch (problem) {
    throw invalidDar(problem)
  }
}

function invalidDar(problem: unknown): UnreadableDar {
  rethrowSystemError(problem)
  const throwable = problem instanceof Error ? problem.message : String(problem)
  return new UnreadableDar('INVALID_DAR', { throwable }, throwable)
}

async function readDirectory(file: ZipFile, limits: ZipLimits): Promise<Map<string, Entry>> {
  if (file.entryCount > limits.maxEntries) throw bomb(`more than ${limits.maxEntries} entries`)
  const entries = new Map<string, Entry>()
  for await (const entry of file.eachEntry()) {
    const name = entryName(entry.fileNameRaw)
    const problem =
      nameProblem(name) ??
      (entry.isEncrypted() ? 'encrypted' : entries.has(name) ? 'repeated' : undefined)
    if (problem !== undefined) throw badName(name, problem, [...entries.keys()])
    entries.set(name, entry)
  }
  checkSizes([...entries.values()], file.fileSize, limits)
  return entries
}

function badName(name: string, reason: string, entries: readonly string[]): UnreadableDar {
  const facts = { name: name.slice(0, MAX_NAME_LENGTH), entries }
  return new UnreadableDar('INVALID_ZIP_ENTRY', { ...facts, reason }, reason)
}

function checkSizes(entries: readonly Entry[], fileSize: number, limits: ZipLimits): void {
  const total = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  const tooLarge = entries.some((entry) => entry.uncompressedSize >= limits.maxEntryBytes)
  if (tooLarge) throw bomb(`an entry has ${limits.maxEntryBytes} bytes or more`)
  if (total > limits.maxTotalBytes)
    throw bomb(`entries have more than ${limits.maxTotalBytes} bytes`)
  const isFree = total <= limits.ratioFreeBytes || total <= fileSize * limits.maxRatio
  if (!isFree) throw bomb(`entries inflate to more than ${limits.maxRatio} times the file`)
  if (overlap(entries)) throw bomb('entries share bytes')
}

const LOCAL_HEADER_BYTES = 30

function overlap(entries: readonly Entry[]): boolean {
  const inOrder = entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )
  return inOrder.some((entry, index) => {
    const end =
      entry.relativeOffsetOfLocalHeader +
      LOCAL_HEADER_BYTES +
      entry.fileNameLength +
      entry.compressedSize
    return end > (inOrder[index + 1]?.relativeOffsetOfLocalHeader ?? Infinity)
  })
}

const MAX_NAME_LENGTH = 1024

function entryName(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
  } catch {
    throw badName(Buffer.from(raw).toString('latin1'), 'the name is not UTF-8', [])
  }
}

/**
 * The problem with a name that is not a plain path inside the archive. Directories end in a slash.
 */
function nameProblem(name: string): string | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH) return 'the name is empty or too long'
  if (/[\p{Cc}\\]/u.test(name)) return 'the name has a control character or a backslash'
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'the name is absolute'
  const segments = (name.endsWith('/') ? name.slice(0, -1) : name).split('/')
  return segments.some((segment) => segment === '' || segment === '.' || segment === '..')
    ? 'the name leads elsewhere'
    : undefined
}

function bomb(msg: string): UnreadableDar {
  return new UnreadableDar('ZIP_BOMB', { msg }, msg)
}

/** An error of the disk is not one of the DAR. */
function rethrowSystemError(problem: unknown): void {
  if (problem instanceof Error && 'syscall' in problem) throw problem
}
