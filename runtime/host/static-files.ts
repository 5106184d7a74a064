// The files of a folder that a plugin serves as a page, held in memory: there are few, and they do
// not change while the server runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type Router from '@koa/router'

type Answer = Parameters<Parameters<Router['get']>[1]>[0]

/** A file, compressed. */
interface Encoded {
  readonly encoding: 'br' | 'gzip'
  readonly bytes: Buffer
}

/** A file as it is sent. */
export interface StaticFile {
  /** Media type. */
  readonly type: string
  readonly bytes: Buffer
  /** Encodings of a compressible file, smallest first. */
  readonly encoded: readonly Encoded[]
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}

/**
 * Files by path relative to the folder, with forward slashes. Reading and zipping wait until a
 * file is first asked for.
 */
export function readStaticFiles(folder: string): Pick<ReadonlyMap<string, StaticFile>, 'get'> {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      )
    : []
  const paths = new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name)
      return [relative(folder, file).replaceAll('\\', '/'), file]
    }),
  )
  const read = new Map<string, StaticFile>()
  return {
    get: (path) => {
      const known = read.get(path)
      const file = paths.get(path)
      if (known !== undefined || file === undefined) return known
      const asset = readStaticFile(file)
      if (asset !== undefined) read.set(path, asset)
      return asset
    },
  }
}

/** Undefined where the folder has been built again since and has other files. */
function readStaticFile(file: string): StaticFile | undefined {
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  return { type, bytes, encoded: encodedOf(bytes) }
}

/** The quality: of Brotli's eleven steps the last two take ten times as long. */
const QUALITY = 9

function encodedOf(bytes: Buffer): readonly Encoded[] {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY }
  const all: readonly Encoded[] = [
    { encoding: 'br', bytes: brotliCompressSync(bytes, { params }) },
    { encoding: 'gzip', bytes: gzipSync(bytes) },
  ]
  return all.filter((one) => one.bytes.length < bytes.length)
}

/** Answers with the file, compressed for those who take that, under a content security policy. */
export function sendStaticFile(context: Answer, file: StaticFile, policy: string): void {
  const encoded = file.encoded.find(
    ({ encoding }) => context.acceptsEncodings(encoding) === encoding,
  )
  context.status = 200
  context.type = file.type
  context.body = encoded?.bytes ?? file.bytes
  if (encoded !== undefined) context.set('Content-Encoding', encoded.encoding)
  context.set('Vary', 'Accept-Encoding')
  context.set('Content-Security-Policy', policy)
  context.set('X-Content-Type-Options', 'nosniff')
  context.set('Referrer-Policy', 'no-referrer')
}
