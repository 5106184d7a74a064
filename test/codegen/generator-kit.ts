// Temporary folders, in-process generation and one compiler run, for the generator's tests.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { after } from 'node:test'
import type { TestContext } from 'node:test'
import { generate, loadInterface } from '../../codegen/index.ts'
import type { LoadedInterface, Report } from '../../codegen/index.ts'

export const PROJECT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

const UPSTREAM = resolve(PROJECT, '../shared/upstream')

/** Our own documents. */
export const OWN_DOCUMENTS = ['ledger', 'validator', 'scan', 'registry'].map((name) =>
  join(PROJECT, 'spec', `${name}.yaml`),
)

/** The public documents that lie beside the checkout; none on other machines. */
export const PUBLIC_DOCUMENTS = existsSync(UPSTREAM)
  ? readdirSync(UPSTREAM, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ya?ml$/u.test(file) && basename(file) !== 'asyncapi.yaml')
      .sort()
      .map((file) => join(UPSTREAM, file))
  : []

/** Why a test of the public documents is skipped; false where they are there. */
export const NO_PUBLIC_DOCUMENTS =
  PUBLIC_DOCUMENTS.length > 0 ? false : `no public documents at ${UPSTREAM}`

/** Path of a fixture. */
export function fixture(name: string): string {
  return join(PROJECT, 'test/codegen/fixtures', name)
}

/** A folder that goes away with the test. Its code is ESM. */
export function tempFolder(t: TestContext): string {
  return folderUntil(t.after.bind(t))
}

/** A folder that goes away after the tests of the file. Its code is ESM. */
export function fileFolder(): string {
  return folderUntil(after)
}

function folderUntil(end: (tidy: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'codegen-test-'))
  end(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

/** A printed module, as what the caller knows it to be. */
export function imported<T>(...path: readonly string[]): Promise<T> {
  return import(pathToFileURL(join(...path)).href)
}

/** Writes files by relative path. */
export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
}

/** A repository of git whose only commit has the files, and the work tree too. */
export function repositoryOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = tempFolder(t)
  put(folder, files)
  const person = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    ['commit', '--quiet', '-m', 'first'],
  ]) {
    execFileSync('git', [...person, ...args], { cwd: folder, stdio: 'pipe' })
  }
  return folder
}

interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `ledgerwright` in a folder as a user does. */
export function runCli(cwd: string, ...args: readonly string[]): Promise<Run> {
  return new Promise((done) => {
    const command = [join(PROJECT, 'runtime/cli/main.ts'), ...args]
    const child = execFile(process.execPath, command, { cwd }, (_error, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, stdout, stderr })
    })
  })
}

/** Generates into a folder from documents. */
export function generateInto(out: string, ...specs: readonly string[]): Promise<Report> {
  return generate({ config: { interfaces: specs.map((spec) => ({ spec })), out } })
}

/** Text of every file below a folder, by relative path. */
export function contents(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  )
}

/** Loads a document given as text. */
export function loadText(
  folder: string,
  document: string,
  name = 'document.yaml',
): LoadedInterface {
  put(folder, { [name]: document })
  return loadInterface(join(folder, name))
}

/**
 * Type-checks a folder with the strictest settings; the compiler's messages, '' when there are
 * none.
 */
export function typeCheck(folder: string): string {
  const compilerOptions = {
    target: 'es2024',
    lib: ['esnext'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules/@types')],
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noPropertyAccessFromIndexSignature: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  }
  put(folder, { 'tsconfig.json': JSON.stringify({ compilerOptions, include: ['**/*.ts'] }) })
  const run = spawnSync(
    process.execPath,
    [join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', folder],
    { encoding: 'utf8' },
  )
  return run.stdout + run.stderr
}
