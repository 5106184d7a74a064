// Puts what a revision of git holds into a temporary folder, as a checkout would: without touching
// work tree or index.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix } from 'node:path'

/** A document with its whole history of shapes is far below that. Bytes. */
const MAX_OUTPUT = 64 * 2 ** 20

/** A path of a revision, `REV:PATH`. */
export interface Revision {
  readonly revision: string
  /**
   * Relative to the repository's top folder, with forward slashes; '' for the top folder itself.
   */
  readonly path: string
  readonly isFolder: boolean
  /** Absolute top folder of the repository. */
  readonly top: string
}

/**
 * The revision that an argument like `HEAD:spec/ledger.yaml` names; a text says why it names
 * none.
 */
export function findRevision(argument: string): Revision | string {
  const colon = argument.indexOf(':')
  const [revision, asked] = [argument.slice(0, colon), argument.slice(colon + 1)]
  if (revision.startsWith('-')) return `'${argument}' is not a revision`
  const top = git(['rev-parse', '--show-toplevel'])
  if (!top.ok) return `'${argument}' is read from git: ${top.text}`
  const prefix = /^\.\.?(?:\/|$)/u.test(asked) ? git(['rev-parse', '--show-prefix']).text : ''
  const path = posix.join(prefix, asked).replace(/^\.$|\/$/u, '')
  const type = git(['cat-file', '-t', `${revision}:${path}`])
  if (!type.ok) return `'${argument}' is read from git: ${type.text}`
  return { revision, path, isFolder: type.text === 'tree', top: top.text }
}

/**
 * Writes a folder of a revision below `target`, where it stands in the repository; a text says what
 * failed.
 */
export function checkOut(
  { revision, top }: Revision,
  folder: string,
  target: string,
): string | undefined {
  const place = mkdtempSync(join(tmpdir(), 'ledgerwright-index-'))
  try {
    const to = join(target, folder)
    mkdirSync(to, { recursive: true })
    const environment = { GIT_INDEX_FILE: join(place, 'index') }
    const read = git(['-C', top, 'read-tree', `${revision}:${folder}`], environment)
    const written = read.ok
      ? git(['-C', top, 'checkout-index', '--all', '--force', `--prefix=${to}/`], environment)
      : read
    return written.ok ? undefined : written.text
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** A file's text in a revision; undefined where git or the revision has none. */
export function readRevision(file: string, revision: string): string | undefined {
  const read = git(['-C', dirname(file), 'show', `${revision}:./${basename(file)}`])
  return read.ok ? read.text : undefined
}

function git(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): { readonly ok: boolean; readonly text: string } {
  const run = spawnSync('git', args, {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    env: { ...process.env, ...environment },
  })
  if (run.error !== undefined)
    return { ok: false, text: `git cannot be started (${run.error.message})` }
  const [firstLine = ''] = run.stderr.trim().split('\n')
  return run.status === 0 ? { ok: true, text: run.stdout.trim() } : { ok: false, text: firstLine }
}
