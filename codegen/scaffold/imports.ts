// Brings the class NotWritten into a file: by the import that is there, by a name more in one, or
// by a new one.
import { dirname, relative, resolve } from 'node:path'
import ts from 'typescript'
import { restOfLine } from './insert.ts'
import { specifierOf } from './module.ts'
import type { Module } from './module.ts'
import { insertion } from './patch.ts'
import type { Patch } from './patch.ts'
import { beginsLine, lineIndent, quoted } from './style.ts'
import type { Style } from './style.ts'

interface ImportedClass {
  /** How code of the file writes the class. */
  readonly name: string
  readonly patches: readonly Patch[]
}

const CLASS = 'NotWritten'

/**
 * The class in a file, and what has to be added to have it. `specifier` is the module that exports
 * it.
 */
export function importNotWritten(module: Module, specifier: string, style: Style): ImportedClass {
  const declarations = module.tree.statements.filter((statement) =>
    ts.isImportDeclaration(statement),
  )
  const there = declarations.filter((one) => isValueImport(one) && specifierOf(one) === specifier)
  for (const one of there) {
    const name = nameIn(one)
    if (name !== undefined) return { name, patches: [] }
  }
  const name = freeName(module)
  const imported = name === CLASS ? CLASS : `${CLASS} as ${name}`
  const open = there
    .map((one) => one.importClause?.namedBindings)
    .find((bindings) => bindings !== undefined && ts.isNamedImports(bindings))
  const patch =
    open !== undefined && ts.isNamedImports(open)
      ? intoBraces(module, open, imported, style)
      : newImport(
          module,
          declarations,
          `import { ${imported} } from ${quoted(specifier, style)}${style.semicolon}`,
          style,
        )
  return { name, patches: [patch] }
}

function isValueImport({ importClause }: ts.ImportDeclaration): boolean {
  return importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword
}

function nameIn({ importClause }: ts.ImportDeclaration): string | undefined {
  const bindings = importClause?.namedBindings
  if (bindings === undefined) return undefined
  if (ts.isNamespaceImport(bindings)) return `${bindings.name.text}.${CLASS}`
  return bindings.elements.find(
    (one) => !one.isTypeOnly && (one.propertyName ?? one.name).text === CLASS,
  )?.name.text
}

/** A name that stands nowhere in the file, were it only in a comment. */
function freeName({ text }: Module): string {
  const isFree = (name: string): boolean => !new RegExp(`\\b${name}\\b`, 'u').test(text)
  if (isFree(CLASS)) return CLASS
  for (let count = 0; ; count += 1) {
    const name = `${CLASS}Yet${count === 0 ? '' : count}`
    if (isFree(name)) return name
  }
}

function intoBraces(
  { text, tree }: Module,
  { elements, pos }: ts.NamedImports,
  imported: string,
  { eol }: Style,
): Patch {
  const last = elements.at(-1)
  if (last === undefined) return insertion(text.indexOf('{', pos) + 1, ` ${imported} `)
  const start = last.getStart(tree)
  const isOwnLine =
    beginsLine(text, start) &&
    (elements.length > 1 ? beginsLine(text, elements[0]?.getStart(tree) ?? 0) : true) &&
    elements.every((one) => beginsLine(text, one.getStart(tree)))
  return insertion(
    last.end,
    isOwnLine ? `,${eol}${lineIndent(text, start)}${imported}` : `, ${imported}`,
  )
}

/** The place of a new import: after the last of its package, else before the first of all. */
function newImport(
  module: Module,
  declarations: readonly ts.ImportDeclaration[],
  line: string,
  { eol }: Style,
): Patch {
  const { text, tree } = module
  const packages = declarations.filter((one) => specifierOf(one)?.startsWith('.') !== true)
  const last = packages.at(-1)
  const [first] = declarations
  if (last === undefined)
    return insertion(first?.getStart(tree) ?? afterHeader(text), `${line}${eol}`)
  const rest = restOfLine(text, last.end)
  return insertion(
    last.end + (rest ?? 0),
    rest === undefined ? `${eol}${line}${eol}` : `${eol}${line}`,
  )
}

/** The end of the header: a shebang, and comments that an empty line keeps apart from the rest. */
function afterHeader(text: string): number {
  return (
    /^\uFEFF?(?:#![^\n]*\n)?(?:(?:[^\S\n]*(?:\/\/[^\n]*|\/\*[^]*?\*\/[^\S\n]*)\r?\n)+(?=\r?\n))?/u.exec(
      text,
    )?.[0].length ?? 0
  )
}

/** A file as another one imports it. `ending` replaces that of the file. */
export function relativeSpecifier(from: string, to: string, ending: string): string {
  const path = relative(dirname(from), resolve(to))
    .replaceAll('\\', '/')
    .replace(/\.([cm]?)ts$/u, ending)
  return path.startsWith('.') ? path : `./${path}`
}
