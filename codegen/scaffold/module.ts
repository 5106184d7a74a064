// One hand-written file as syntax.
import ts from 'typescript'

export interface Module {
  /** Absolute. */
  readonly file: string
  readonly text: string
  readonly tree: ts.SourceFile
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

/** Parses a text as the file `file`. */
export function parseModule(file: string, text: string): Module {
  const kind = /\.[cm]?tsx$/u.test(file) ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind) }
}

/** A program of files as they were parsed, without what they import and the library. */
export function programOf(modules: readonly Module[]): ts.Program {
  const trees = new Map(modules.map(({ file, tree }) => [file, tree]))
  return ts.createProgram({
    rootNames: [...trees.keys()],
    options: { noLib: true, noResolve: true, types: [] },
    host: {
      getSourceFile: (name) => trees.get(name),
      getDefaultLibFileName: () => 'lib.d.ts',
      writeFile: () => undefined,
      getCurrentDirectory: () => '',
      getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      fileExists: (name) => trees.has(name),
      readFile: () => undefined,
    },
  })
}

/** The first place of each file that is no TypeScript; none for files that are. */
export function syntaxErrors(modules: readonly Module[]): readonly SyntaxFault[] {
  const program = programOf(modules)
  return modules.flatMap((module): readonly SyntaxFault[] => {
    const [first] = program.getSyntacticDiagnostics(module.tree)
    if (first === undefined) return []
    const message = ts.flattenDiagnosticMessageText(first.messageText, ' ')
    return [{ ...placeAt(module, first.start ?? 0), message }]
  })
}

/** The beginning of a node, comments before it left out. */
export function placeOf(module: Module, node: ts.Node): FilePlace {
  return placeAt(module, node.getStart(module.tree))
}

/** The place of an offset. */
export function placeAt({ file, tree }: Module, offset: number): FilePlace {
  const { line, character } = tree.getLineAndCharacterOfPosition(offset)
  return { file, line: line + 1, column: character + 1 }
}

/** The other file that a node's import or export names; undefined where it names none. */
export function specifierOf(node: ts.Node): string | undefined {
  const { moduleSpecifier: named } =
    ts.findAncestor(node, (one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) ?? {}
  return named !== undefined && ts.isStringLiteral(named) ? named.text : undefined
}
