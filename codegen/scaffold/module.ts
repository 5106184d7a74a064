// One hand-written file as syntax: what it imports, declares and exports by name. No types are
// computed.
import ts from 'typescript'

/**
 * A name that a file has from another one. `name` is the exported name, '*' for a namespace,
 * 'default' for the default.
 */
export interface ImportedName {
  readonly specifier: string
  readonly name: string
}

export interface Module {
  /** Absolute. */
  readonly file: string
  readonly text: string
  readonly tree: ts.SourceFile
  readonly imports: ReadonlyMap<string, ImportedName>
  /** Names handed on from others: exported name to where it is from. */
  readonly reexports: ReadonlyMap<string, ImportedName>
  /** Files of which it hands on everything. */
  readonly stars: readonly string[]
  readonly types: ReadonlyMap<string, ts.TypeAliasDeclaration | ts.InterfaceDeclaration>
  /** Local names by exported name, where the two differ or the export stands apart. */
  readonly exported: ReadonlyMap<string, string>
}

/** 1-based. */
export interface FilePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

interface SyntaxFault extends FilePlace {
  readonly message: string
}

type Draft = {
  readonly imports: Map<string, ImportedName>
  readonly reexports: Map<string, ImportedName>
  readonly stars: string[]
  readonly types: Map<string, ts.TypeAliasDeclaration | ts.InterfaceDeclaration>
  readonly exported: Map<string, string>
}

/** Parses a text as the file `file`. */
export function parseModule(file: string, text: string): Module {
  const tree = parse(file, text)
  const draft: Draft = {
    imports: new Map(),
    reexports: new Map(),
    stars: [],
    types: new Map(),
    exported: new Map(),
  }
  for (const statement of tree.statements) readStatement(statement, draft)
  return { file, text, tree, ...draft }
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    /\.[cm]?tsx$/u.test(file) ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
}

/** The first place of each file that is no TypeScript; none for files that are. */
export function syntaxErrors(modules: readonly Module[]): readonly SyntaxFault[] {
  const trees = new Map(modules.map(({ file, tree }) => [file, tree]))
  const host: ts.CompilerHost = {
    getSourceFile: (name) => trees.get(name),
    getDefaultLibFileName: () => 'lib.d.ts',
    writeFile: () => undefined,
    getCurrentDirectory: () => '',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => trees.has(name),
    readFile: () => undefined,
  }
  const program = ts.createProgram({
    rootNames: [...trees.keys()],
    options: { noLib: true, noResolve: true, types: [] },
    host,
  })
  return [...trees].flatMap(([file, tree]): readonly SyntaxFault[] => {
    const [first] = program.getSyntacticDiagnostics(tree)
    if (first === undefined) return []
    const { line, character } = tree.getLineAndCharacterOfPosition(first.start ?? 0)
    return [
      {
        file,
        line: line + 1,
        column: character + 1,
        message: ts.flattenDiagnosticMessageText(first.messageText, ' '),
      },
    ]
  })
}

/** The beginning of a node, comments before it left out. */
export function placeOf(module: Module, node: ts.Node): FilePlace {
  const { line, character } = module.tree.getLineAndCharacterOfPosition(node.getStart(module.tree))
  return { file: module.file, line: line + 1, column: character + 1 }
}

function readStatement(statement: ts.Statement, draft: Draft): void {
  if (ts.isImportDeclaration(statement)) readImport(statement, draft)
  else if (ts.isExportDeclaration(statement)) readExport(statement, draft)
  else if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression))
    draft.exported.set('default', statement.expression.text)
  else if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement))
    draft.types.set(statement.name.text, statement)
  else if (
    ts.isFunctionDeclaration(statement) &&
    statement.name !== undefined &&
    hasDefault(statement)
  ) {
    draft.exported.set('default', statement.name.text)
  }
}

function hasDefault(statement: ts.FunctionDeclaration): boolean {
  return (
    statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) === true
  )
}

function readImport(
  { importClause: clause, moduleSpecifier }: ts.ImportDeclaration,
  draft: Draft,
): void {
  if (clause === undefined || !ts.isStringLiteral(moduleSpecifier)) return
  const specifier = moduleSpecifier.text
  if (clause.name !== undefined) draft.imports.set(clause.name.text, { specifier, name: 'default' })
  const bindings = clause.namedBindings
  if (bindings === undefined) return
  if (ts.isNamespaceImport(bindings))
    draft.imports.set(bindings.name.text, { specifier, name: '*' })
  else
    for (const one of bindings.elements)
      draft.imports.set(one.name.text, { specifier, name: (one.propertyName ?? one.name).text })
}

function readExport(
  { exportClause: clause, moduleSpecifier }: ts.ExportDeclaration,
  draft: Draft,
): void {
  const specifier =
    moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
      ? moduleSpecifier.text
      : undefined
  if (clause === undefined) {
    if (specifier !== undefined) draft.stars.push(specifier)
  } else if (ts.isNamespaceExport(clause)) {
    if (specifier !== undefined) draft.reexports.set(clause.name.text, { specifier, name: '*' })
  } else {
    for (const one of clause.elements) {
      const name = (one.propertyName ?? one.name).text
      if (specifier === undefined) draft.exported.set(one.name.text, name)
      else draft.reexports.set(one.name.text, { specifier, name })
    }
  }
}
