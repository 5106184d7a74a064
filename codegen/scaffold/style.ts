// How a file is written: line ends, quotes, semicolons, indentation. New code is written the same
// way.
import ts from 'typescript'
import { specifierOf } from './module.ts'
import type { Module } from './module.ts'

export interface Style {
  readonly eol: '\n' | '\r\n'
  readonly quote: "'" | '"'
  /** ';' or ''. */
  readonly semicolon: string
  /** One level. */
  readonly indent: string
  /** Ending of relative imports: '.ts', '.js' or ''. */
  readonly ending: string
}

/** The style where nobody has shown another. */
export const HOUSE_STYLE: Style = {
  eol: '\n',
  quote: "'",
  semicolon: '',
  indent: '  ',
  ending: '.ts',
}

interface Counts {
  single: number
  double: number
  semicolons: number
  bare: number
}

/** The style of one file; `otherwise` where it shows none. */
export function styleOf(module: Module, otherwise: Style = HOUSE_STYLE): Style {
  const counts: Counts = { single: 0, double: 0, semicolons: 0, bare: 0 }
  count(module, module.tree, counts)
  const most = <T>(a: number, one: T, b: number, other: T, none: T): T =>
    a === b ? none : a > b ? one : other
  return {
    eol: eolOf(module.text, otherwise.eol),
    quote: most(counts.single, "'", counts.double, '"', otherwise.quote),
    semicolon: most(counts.semicolons, ';', counts.bare, '', otherwise.semicolon),
    indent: indentOf(module.text) ?? otherwise.indent,
    ending: endingOf(module) ?? otherwise.ending,
  }
}

function eolOf(text: string, otherwise: Style['eol']): Style['eol'] {
  const all = text.split('\n').length - 1
  const crlf = text.split('\r\n').length - 1
  return all === 0 ? otherwise : crlf * 2 > all ? '\r\n' : '\n'
}

function count(module: Module, node: ts.Node, counts: Counts): void {
  if (ts.isStringLiteral(node)) {
    if (module.text[node.getStart(module.tree)] === '"') counts.double += 1
    else counts.single += 1
  }
  const ends =
    ts.isImportDeclaration(node) ||
    ts.isVariableStatement(node) ||
    ts.isExpressionStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isTypeAliasDeclaration(node)
  if (ends) {
    if (module.text[node.end - 1] === ';') counts.semicolons += 1
    else counts.bare += 1
  }
  ts.forEachChild(node, (child) => count(module, child, counts))
}

/**
 * The step by which lines are indented: a tab, or the least number of leading spaces of a line that
 * is code.
 */
function indentOf(text: string): string | undefined {
  if (/^\t/mu.test(text)) return '\t'
  const steps = [...text.matchAll(/^( +)[^\s*]/gmu)]
    .map(([, spaces = '']) => spaces.length)
    .filter((length) => length > 1)
  return steps.length === 0 ? undefined : ' '.repeat(Math.min(...steps, 8))
}

function endingOf({ tree }: Module): string | undefined {
  const relative = tree.statements
    .filter((one) => ts.isImportDeclaration(one))
    .flatMap((one) => specifierOf(one) ?? [])
    .find((specifier) => /^\.\.?\//u.test(specifier))
  return relative === undefined ? undefined : (/\.[cm]?[jt]s$/u.exec(relative)?.[0] ?? '')
}

/** The spaces or tabs with which the line of an offset begins. */
export function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? ''
}

/** True when only white space stands before an offset in its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /^\s*$/u.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))
}

/** A text literal in the style's quotes. */
export function quoted(value: string, { quote }: Pick<Style, 'quote'>): string {
  const inner = JSON.stringify(value).slice(1, -1)
  return quote === '"' ? `"${inner}"` : `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** A name as the key of a member. */
export function keyOf(name: string, style: Style): string {
  if (name === '__proto__') return `[${quoted(name, style)}]`
  return isIdentifier(name) ? name : quoted(name, style)
}

/** True for what may stand after a dot. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/u.test(name)
}
