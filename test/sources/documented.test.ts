// Of all that packages may import of this one, at least 85 % says in a docstring what it is.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { ROOT } from '../support/service.ts'

const LEAST_SHARE = 0.85

test('public exports have a docstring', (t) => {
  const exported = publicExports(entryFiles())
  const bare = exported.filter(({ isDocumented }) => !isDocumented)
  const share = 1 - bare.length / exported.length
  t.diagnostic(`${(share * 100).toFixed(1)} % of ${exported.length} exports have a docstring`)
  assert.ok(exported.length > 500, `only ${exported.length} exports were found`)
  assert.ok(share >= LEAST_SHARE, bare.map(({ place }) => place).join('\n'))
})

/** The sources of what package.json exports, save for what the generator prints. */
function entryFiles(): readonly string[] {
  const { exports: entries } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const patterns = Object.values<{ readonly types?: string } | string | null>(entries)
    .map((entry) => (typeof entry === 'object' ? (entry?.types ?? '') : ''))
    .filter((types) => types.endsWith('.d.ts') && !types.includes('/generated/'))
  return patterns.flatMap((types) =>
    globSync(types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts'), { cwd: ROOT }),
  )
}

interface Exported {
  /** `file: name` */
  readonly place: string
  readonly isDocumented: boolean
}

/** Each declaration once, whatever entries lead to it. */
function publicExports(files: readonly string[]): readonly Exported[] {
  const program = programOf(files)
  const checker = program.getTypeChecker()
  const found = new Map<ts.Symbol, Exported>()
  for (const file of files) {
    const source = program.getSourceFile(join(ROOT, file))
    const module = source && checker.getSymbolAtLocation(source)
    assert.ok(module, `${file} exports nothing`)
    for (const each of checker.getExportsOfModule(module)) {
      const symbol = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each
      const at = symbol.declarations?.[0]?.getSourceFile().fileName
      if (at === undefined || !isOurs(at)) continue
      const isDocumented = symbol.getDocumentationComment(checker).length > 0
      found.set(symbol, { place: `${relative(ROOT, at)}: ${symbol.name}`, isDocumented })
    }
  }
  return [...found.values()]
}

/** Nothing but the sources: neither libraries nor what the generator prints is read. */
function programOf(files: readonly string[]): ts.Program {
  const options = { module: ts.ModuleKind.NodeNext, noLib: true, types: [] }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const file = join(dirname(from), text)
      const isRead = text.startsWith('.') && isOurs(file)
      return {
        resolvedModule: isRead ? { resolvedFileName: file, extension: ts.Extension.Ts } : undefined,
      }
    })
  return ts.createProgram({ rootNames: files.map((file) => join(ROOT, file)), options, host })
}

/** Neither a library's nor printed by the generator. */
function isOurs(file: string): boolean {
  return /^(codegen|runtime|plugins)\//.test(relative(ROOT, file))
}
