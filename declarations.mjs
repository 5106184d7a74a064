// Keeps of the declarations those that a reader of the package can come to, and puts those of the
// packages in the bundle beside them: such a package is not installed, but its types are spoken of.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import ts from 'typescript'

const OPTIONS = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
  noEmit: true,
  noLib: true,
  types: [],
}
const ESM = ts.ModuleKind.ESNext
const DECLARATION = /\.d\.([cm]?)ts$/

/**
 * Trims the declarations in `folder`, which lies within `root` and has a bundle of the files
 * `bundled`.
 */
export function trimDeclarations(folder, root, bundled) {
  const home = resolve(root, folder)
  const packages = new Set(bundled.flatMap((file) => packageOf(file) ?? []))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const program = ts.createProgram(entries(manifest, home), OPTIONS)
  const reached = program.getSourceFiles().map(({ fileName }) => resolve(fileName))
  const own = new Set(reached.filter((file) => file.startsWith(home + sep)))
  const carried = new Map(
    reached
      .filter((file) => packages.has(packageOf(file)))
      .map((file) => [file, join(home, 'types', placeOf(file))]),
  )
  for (const file of globSync('**/*.d.ts', { cwd: home }))
    if (!own.has(join(home, file))) rmSync(join(home, file))
  for (const [file, target] of carried) {
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
  for (const file of own) redirect(file, file, carried)
  for (const [file, target] of carried) redirect(file, target, carried)
}

/** The declarations of everything that the package exports. */
function entries({ exports }, home) {
  const named = Object.values(exports).flatMap((target) => target?.types ?? [])
  return named.flatMap((file) =>
    globSync(file.replace('./dist/', ''), { cwd: home }).map((one) => join(home, one)),
  )
}

/** The package that a file is of; undefined for our own. */
function packageOf(file) {
  return /^(?:@[^\\/]+[\\/])?[^\\/]+/.exec(placeOf(file) ?? '')?.[0]
}

/** The path of a file of a package, from the package's name on. */
function placeOf(file) {
  return file.split(`${sep}node_modules${sep}`)[1]
}

/** Lets the copy `target` of `file` name what was carried along by its path. */
function redirect(file, target, carried) {
  const text = readFileSync(target, 'utf8')
  const named = ts.preProcessFile(text, true, true).importedFiles.toReversed()
  const changed = named.reduce((now, { fileName, pos, end }) => {
    const found = ts.resolveModuleName(fileName, file, OPTIONS, ts.sys, undefined, undefined, ESM)
    const place = carried.get(resolve(found.resolvedModule?.resolvedFileName ?? ''))
    if (fileName.startsWith('.') || place === undefined) return now
    const path = relative(dirname(target), place).replaceAll(sep, '/')
    // `pos` is that of the quote before it; `end` is as far from the one behind it.
    return now.slice(0, pos + 1) + path.replace(DECLARATION, '.$1js') + now.slice(end + 1)
  }, text)
  if (changed !== text) writeFileSync(target, changed)
}
