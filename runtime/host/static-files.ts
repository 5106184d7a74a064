// The files of a folder that a plugin serves as a page, held in memory: there are few, and they do
// not change while the server runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import type Router from '@koa/router'

type Answer = Parameters<Parameters<Router['get']>[1]>[0]

/** A file as it is sent. */
export interface StaticFile {
  /** Media type. */
  readonly type: string
  readonly bytes: Buffer
  /** Where zipping pays. */
  readonly gzip?: Buffer
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
  const gzip = gzipSync(bytes)
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    bytes,
    ...(gzip.length < bytes.length ? { gzip } : {}),
  }
}

/** Answers with the file, zipped for those who take that, under a content security policy. */
export function sendStaticFile(context: Answer, file: StaticFile, policy: string): void {
  const isZipped = file.gzip !== undefined && context.acceptsEncodings('gzip') === 'gzip'
  context.status = 200
  context.type = file.type
  context.body = isZipped ? file.gzip : file.bytes
  if (isZipped) context.set('Content-Encoding', 'gzip')
  context.set('Vary', 'Accept-Encoding')
  context.set('Content-Security-Policy', policy)
  context.set('X-Content-Type-Options', 'nosniff')
  context.set('Referrer-Policy', 'no-referrer')
}
