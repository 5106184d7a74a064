// The hand-written files of a project as one graph: which file or generated file an import means.
// Files are parsed when asked for.
import { dirname, join, resolve } from 'node:path'
import type ts from 'typescript'
import { isTestFile, isWithin, readText, sourceFiles } from './files.ts'
import { parseModule } from './module.ts'
import type { Module } from './module.ts'
import { exportedNames, exportMeaning, isHandlers, isTypeDeclaration, meaningOf } from './names.ts'
import type { Meaning, Resolve, Target } from './names.ts'

export interface HandProject {
  /** Absolute. */
  readonly root: string
  /** Absolute folder of generated files. */
  readonly out: string
  /** Names of the interfaces. */
  readonly interfaces: ReadonlySet<string>
  /** Files that may hold handlers, in the order of their paths. */
  readonly modules: readonly Module[]
  /** True where handlers are looked for. */
  readonly isHandlerFile: (file: string) => boolean
  /** Files of the project whose text fits, tests among them, in the order of their paths. */
  mentioning(fits: (text: string) => boolean): readonly Module[]
  /** Hand-written files that are no UTF-8 text; absolute. */
  readonly unreadable: readonly string[]
  /** The target of an import or export. */
  readonly resolve: Resolve
  /** The meaning of a name that stands in a file; undefined where it is of a package. */
  meaningOf(module: Module, name: ts.Node): Meaning | undefined
}

interface ProjectInput {
  readonly root: string
  readonly out: string
  readonly interfaces: readonly string[]
  /** Absolute files or folders with handlers; undefined: everywhere but in tests. */
  readonly handlers: readonly string[] | undefined
}

const GENERATED = /(?:^|\/)([^/]+)\/(handlers|types|client)\.gen(?:\.[cm]?[jt]s)?$/u

/**
 * Reads a project. Only files whose text speaks of generated files, or of names that such files
 * hand on, are parsed at once.
 */
export function readProject({ root, out, interfaces, handlers }: ProjectInput): HandProject {
  const unreadable: string[] = []
  const texts = new Map<string, string>()
  for (const file of sourceFiles([root, ...(handlers ?? [])], out)) {
    const text = readText(file)
    if (text === undefined) unreadable.push(file)
    else texts.set(file, text)
  }
  const parsed = new Map<string, Module>()
  const moduleOf = (file: string): Module | undefined => {
    const text = texts.get(file)
    const known = parsed.get(file)
    if (known !== undefined || text === undefined) return known
    const module = parseModule(file, text)
    parsed.set(file, module)
    return module
  }
  const names = new Set(interfaces)
  const find: Resolve = (from, specifier) => {
    const generated = generatedTarget(from, specifier, out, names)
    if (generated !== undefined) return generated
    const file = candidates(from, specifier).find((one) => texts.has(one))
    const module = file === undefined ? undefined : moduleOf(file)
    return module === undefined ? undefined : { kind: 'module', module }
  }
  const isHandlerFile = (file: string): boolean =>
    handlers === undefined ? !isTestFile(root, file) : isWithin(file, handlers)
  return {
    root,
    out,
    interfaces: names,
    unreadable,
    resolve: find,
    isHandlerFile,
    meaningOf: (module, name) => meaningOf(find, module, name),
    modules: namingHandlers(texts, moduleOf, find)
      .filter(isHandlerFile)
      .flatMap((file) => moduleOf(file) ?? []),
    mentioning: (fits) =>
      [...texts].filter(([, text]) => fits(text)).flatMap(([file]) => moduleOf(file) ?? []),
  }
}

function generatedTarget(
  from: Module,
  specifier: string,
  out: string,
  names: ReadonlySet<string>,
): Target | undefined {
  const [, name = '', kind] = GENERATED.exec(specifier) ?? []
  if (!names.has(name) || (kind !== 'handlers' && kind !== 'types' && kind !== 'client'))
    return undefined
  const isOurs =
    !specifier.startsWith('.') || dirname(dirname(resolve(dirname(from.file), specifier))) === out
  return isOurs ? { kind: 'generated', interface: name, file: kind } : undefined
}

/**
 * The files that a relative specifier may mean: as it stands, with the ending that it stands for,
 * or a folder's index.
 */
function candidates(from: Module, specifier: string): readonly string[] {
  if (!specifier.startsWith('.')) return []
  const path = resolve(dirname(from.file), specifier)
  return [
    path,
    path.replace(/\.([cm]?)jsx?$/u, '.$1ts'),
    path.replace(/\.jsx?$/u, '.tsx'),
    `${path}.ts`,
    `${path}.tsx`,
    join(path, 'index.ts'),
  ]
}

/**
 * Files whose text names the generated handlers, or a type that such a file makes of them and hands
 * on.
 */
function namingHandlers(
  texts: ReadonlyMap<string, string>,
  moduleOf: (file: string) => Module | undefined,
  find: Resolve,
): readonly string[] {
  const chosen = new Set(
    [...texts].filter(([, text]) => text.includes('handlers.gen')).map(([file]) => file),
  )
  const read = new Set<string>()
  const known = new Set<string>()
  for (;;) {
    const fresh = [...chosen].filter((file) => !read.has(file))
    const names = fresh
      .flatMap((file) => handedOn(moduleOf(file), find))
      .filter((name) => !known.has(name))
    for (const file of chosen) read.add(file)
    if (names.length === 0) return [...texts.keys()].filter((file) => chosen.has(file))
    for (const name of names) known.add(name)
    const speaks = new RegExp(`\\b(?:${[...new Set(names)].join('|')})\\b`, 'u')
    for (const [file, text] of texts) if (!chosen.has(file) && speaks.test(text)) chosen.add(file)
  }
}

/** Names under which a file hands on types that may be those of handlers. */
function handedOn(module: Module | undefined, find: Resolve): readonly string[] {
  if (module === undefined) return []
  const speaks = (meaning: Meaning | undefined): boolean =>
    meaning !== undefined &&
    ('declared' in meaning
      ? meaning.declared.some((one) => isTypeDeclaration(one) && /Handlers\b/u.test(one.getText()))
      : isHandlers(meaning))
  return ['Handlers', ...exportedNames(module)].filter(
    (name) => /^\w+$/u.test(name) && speaks(exportMeaning(find, module, name)),
  )
}
