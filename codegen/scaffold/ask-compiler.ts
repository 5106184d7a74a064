// What is spread into handlers from where syntax shows nothing: a namespace, a member of an
// instance, a package. The compiler knows what such a value has. It reads the whole project, so it
// is asked only where operations would otherwise count as missing.
import { dirname } from 'node:path'
import ts from 'typescript'
import type { HandlerObject } from './objects.ts'

/** Members that a value surely has, by spread; undefined where the compiler cannot say. */
export type SpreadMembers = ReadonlyMap<ts.SpreadAssignment, ReadonlySet<string> | undefined>

/**
 * Asks for all that is spread into these objects, under the settings of the tsconfig.json above the
 * first of their files.
 */
export function askCompiler(objects: readonly HandlerObject[]): SpreadMembers {
  const files = [...new Set(objects.map(({ module }) => module.file))]
  const program = ts.createProgram({ rootNames: files, options: settingsFor(files[0] ?? '') })
  const checker = program.getTypeChecker()
  return new Map(
    objects.flatMap(({ module, unknownSpreads }) =>
      unknownSpreads.map((node) => {
        const tree = program.getSourceFile(module.file)
        // Another text than the one that was read says nothing of the spread.
        const same = tree?.text === module.tree.text ? sameNode(tree, node) : undefined
        return [
          node,
          same === undefined
            ? undefined
            : membersOf(checker, checker.getTypeAtLocation(same.expression)),
        ]
      }),
    ),
  )
}

function settingsFor(file: string): ts.CompilerOptions {
  const found = ts.findConfigFile(dirname(file), ts.sys.fileExists)
  const config: unknown =
    found === undefined ? {} : ts.readConfigFile(found, ts.sys.readFile).config
  const { options } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    found === undefined ? dirname(file) : dirname(found),
  )
  return {
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
  }
}

function sameNode(tree: ts.SourceFile, { pos, end }: ts.Node): ts.SpreadAssignment | undefined {
  const find = (node: ts.Node): ts.SpreadAssignment | undefined => {
    if (ts.isSpreadAssignment(node) && node.pos === pos && node.end === end) return node
    return node.pos <= pos && node.end >= end ? ts.forEachChild(node, find) : undefined
  }
  return find(tree)
}

function membersOf(checker: ts.TypeChecker, type: ts.Type): ReadonlySet<string> | undefined {
  const isOpaque =
    (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) !== 0
  if (isOpaque || checker.getIndexInfosOfType(type).length > 0) return undefined
  const sure = checker
    .getPropertiesOfType(type)
    .filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0)
  return new Set(sure.map(({ name }) => name))
}
