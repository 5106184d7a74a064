// Renames generated types where hand-written code names them: imported, by a namespace, handed on,
// or in `import(…)`.
import type { Identifier, ImportDeclaration, ImportSpecifier, Node, SourceFile } from 'ts-morph'
import type { Module } from './module.ts'
import type { Morph } from './morph.ts'
import type { HandProject } from './project.ts'
import type { TypeRename } from './renames.ts'
import type { Patch } from './patch.ts'

/** One place where a name changes; the name itself is the last of the patches. */
export interface NameChange {
  readonly patches: readonly [...Patch[], Patch]
  readonly from: string
  readonly to: string
}

/**
 * True when a file may name one of the types: its text has the word, and it imports or hands on the
 * file that has it.
 */
export function mayName(
  { text, imports, reexports }: Module,
  { interface: name, file, from }: TypeRename,
): boolean {
  const specifiers = [...imports.values(), ...reexports.values()].map(({ specifier }) => specifier)
  return (
    text.includes(from) &&
    (text.includes('import(') || specifiers.some((one) => one.includes(`${name}/${file}.gen`)))
  )
}

/** All places of a file where the types are named. */
export function renameTypes(
  project: HandProject,
  module: Module,
  renames: readonly TypeRename[],
  morph: Morph,
): readonly NameChange[] {
  const source = morph.sourceOf(module)
  const wanted = (specifier: string): ReadonlyMap<string, string> => {
    const target = project.resolve(module, specifier)
    const of = target?.kind === 'generated' ? target : undefined
    return new Map(
      renames
        .filter((one) => one.interface === of?.interface && one.file === of.file)
        .map(({ from, to }) => [from, to]),
    )
  }
  return [
    ...source
      .getImportDeclarations()
      .flatMap((one) => imported(module, one, wanted(one.getModuleSpecifierValue()))),
    ...handedOn(source, wanted),
    ...(module.text.includes('import(') ? inPlace(source, wanted) : []),
  ]
}

function replaced(node: Node, from: string, to: string): NameChange {
  return { patches: [{ at: node.getStart(), length: node.getWidth(), text: to }], from, to }
}

function imported(
  module: Module,
  declaration: ImportDeclaration,
  names: ReadonlyMap<string, string>,
): readonly NameChange[] {
  if (names.size === 0) return []
  const namespace = declaration.getNamespaceImport()
  return [
    ...declaration.getNamedImports().flatMap((one) => named(module, one, names)),
    ...(namespace === undefined ? [] : members(namespace, names)),
  ]
}

function named(
  module: Module,
  specifier: ImportSpecifier,
  names: ReadonlyMap<string, string>,
): readonly NameChange[] {
  const from = specifier.getName()
  const to = names.get(from)
  const node = specifier.getNameNode()
  if (to === undefined || !('findReferencesAsNodes' in node)) return []
  if (specifier.getAliasNode() !== undefined) return [replaced(node, from, to)]
  // Something else has the new name here already: the file goes on with the former one.
  if (new RegExp(`\\b${to}\\b`, 'u').test(module.text))
    return [replaced(node, from, `${to} as ${from}`)]
  const references = node
    .findReferencesAsNodes()
    .filter((one) => one.getSourceFile() === specifier.getSourceFile())
  return [replaced(node, from, to), ...references.flatMap((one) => reference(one, from, to))]
}

/** Changes of a reference; a name that the file itself hands on is kept for others. */
function reference(node: Node, from: string, to: string): readonly NameChange[] {
  const parent = node.getParent()
  const kind = parent?.getKindName()
  if (kind === 'ImportSpecifier' || node.getText() !== from) return []
  if (kind !== 'ExportSpecifier') return [replaced(node, from, to)]
  const isPlain = parent?.getText() === from
  const isFirst = parent?.getStart() === node.getStart()
  return isPlain
    ? [replaced(node, from, `${to} as ${from}`)]
    : isFirst
      ? [replaced(node, from, to)]
      : []
}

/** `types.Old` and `types.Old` as a value: the name after the namespace. */
function members(namespace: Identifier, names: ReadonlyMap<string, string>): readonly NameChange[] {
  return namespace.findReferencesAsNodes().flatMap((one) => {
    const parent = one.getParent()
    const last = parent?.getLastChild()
    const isMember =
      parent?.getKindName() === 'QualifiedName' ||
      parent?.getKindName() === 'PropertyAccessExpression'
    const to =
      isMember && last !== undefined && last !== one ? names.get(last.getText()) : undefined
    return to === undefined || last === undefined ? [] : [replaced(last, last.getText(), to)]
  })
}

/** `export type { Old } from '…'`. */
function handedOn(
  source: SourceFile,
  wanted: (specifier: string) => ReadonlyMap<string, string>,
): readonly NameChange[] {
  return source.getExportDeclarations().flatMap((declaration) => {
    const specifier = declaration.getModuleSpecifierValue()
    const names = specifier === undefined ? undefined : wanted(specifier)
    return declaration.getNamedExports().flatMap((one) => {
      const from = one.getName()
      const to = names?.get(from)
      if (to === undefined) return []
      return [
        replaced(
          one.getNameNode(),
          from,
          one.getAliasNode() === undefined ? `${to} as ${from}` : to,
        ),
      ]
    })
  })
}

/** `import('…').Old`. */
function inPlace(
  source: SourceFile,
  wanted: (specifier: string) => ReadonlyMap<string, string>,
): readonly NameChange[] {
  return source.getDescendants().flatMap((node) => {
    if (node.getKindName() !== 'ImportType' || !('getArgument' in node)) return []
    const specifier = /^import\(\s*['"]([^'"]*)['"]/u.exec(node.getText())?.[1] ?? ''
    const name = node.getChildren().find((child) => child.getKindName() === 'Identifier')
    const to = name === undefined ? undefined : wanted(specifier).get(name.getText())
    return name === undefined || to === undefined ? [] : [replaced(name, name.getText(), to)]
  })
}
