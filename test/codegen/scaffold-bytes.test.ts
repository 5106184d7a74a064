// Whatever a hand-written file looks like, what was in it stays byte by byte: taking out what
// `scaffold` put in gives the file as it was.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import ts from 'typescript'
import { put } from './generator-kit.ts'
import { document, project, read, run } from './scaffold-kit.ts'

const IDS = [
  'listNotes',
  'getNote',
  'dropNote',
  'listTags',
  'get-tag',
  'dropTag',
  'ping',
  'zap',
] as const
const ROUTES = [
  'GET /notes',
  'GET /notes/{id}',
  'DELETE /notes/{id}',
  'GET /tags',
  'GET /tags/{id}',
  'DELETE /tags/{id}',
  'GET /ping',
  'GET /zap',
]
const OPERATIONS = Object.fromEntries(IDS.map((id, index) => [id, ROUTES[index] ?? '']))

const blank = fc.constantFrom(
  '',
  ' ',
  '\t',
  '  ',
  '\n',
  '\n\n',
  '\n  ',
  ' // höhe ≤ 3 €, }\n',
  ' /* { , */ ',
  '\n/** doc\n * 😀 ) */\n',
)
const body = fc.constantFrom(
  '() => reply',
  'async () => (reply)',
  '({ path }) => { void path; return reply }',
  `/* ,} */ () =>\n{ return { ...reply, s: '}' } }`,
)

const member = (id: string): fc.Arbitrary<string> =>
  fc
    .record({ before: blank, after: blank, value: body, form: fc.nat(2) })
    .map(({ before, after, value, form }) => {
      const key = /-/u.test(id) ? `"${id}"` : form === 2 ? `'${id}'` : id
      return `${before}${form === 1 && !key.startsWith('"') ? `async ${key}() { return reply }` : `${key}${after}: ${value}`}${after}`
    })

const object = (ids: readonly string[]): fc.Arbitrary<string> =>
  fc
    .record({
      members: fc.tuple(...ids.map(member)),
      trailing: fc.boolean(),
      inner: blank,
      typed: fc.boolean(),
    })
    .map(({ members, trailing, inner, typed }) => {
      const literal = `{${members.join(',')}${trailing && members.length > 0 ? ',' : ''}${inner}}`
      return typed
        ? `: Partial<Handlers<unknown>> = ${literal}`
        : ` = ${literal} satisfies Partial<Handlers<unknown>>`
    })

/** A file with one or two handler objects that hold some of the operations, in odd spacing. */
const source = fc
  .record({
    owners: fc.array(fc.nat(2), { minLength: IDS.length, maxLength: IDS.length }),
    gap: blank,
    head: fc.constantFrom('', '\uFEFF', '#!/usr/bin/env node\n', '// first\n\n'),
    semicolon: fc.constantFrom('', ';'),
    quote: fc.constantFrom("'", '"'),
    crlf: fc.boolean(),
    imports: fc.constantFrom('', 'import { a } from "ledgerwright/http"\n', '/* c */ '),
  })
  .chain(({ owners, gap, head, semicolon, quote, crlf, imports }) => {
    const held = (owner: number): readonly string[] =>
      IDS.filter((_, index) => owners[index] === owner)
    return fc.tuple(object(held(0)), object(held(1))).map(([one, two]) => {
      const handlers = `import type { Handlers } from ${quote}../generated/notes/handlers.gen.ts${quote}${semicolon}\n`
      const text =
        `${head}${imports}${handlers}${gap}\nconst reply = { status: 200, body: { id: ${quote}a${quote} } } as const${semicolon}\n` +
        `export const one${one}${semicolon}\n${gap}\nexport const two${two}${semicolon}\n${gap}`
      return {
        text: crlf ? text.replaceAll('\n', '\r\n') : text,
        lacking: IDS.filter((_, index) => owners[index] === 2),
      }
    })
  })

/**
 * True when `before` is what is left of `after` once some pieces are taken out, but for blanks
 * before what begins a line now.
 */
function isKept(before: string, after: string): boolean {
  const [was, is] = [before, after].map((text) => text.replaceAll(/[ \t]/gu, ''))
  let at = 0
  for (const character of is ?? '')
    if (was?.startsWith(character, at) === true) at += character.length
  return at === was?.length
}

/** How many lines of `before` are not in `after` as they were, in their order. */
function brokenLines(before: string, after: string): number {
  const [was, is] = [before.split('\n'), after.split('\n')]
  let row = is.map(() => 0)
  for (const line of was) {
    let diagonal = 0
    let left = 0
    row = row.map((above, index) => {
      left = is[index] === line ? diagonal + 1 : Math.max(above, left)
      diagonal = above
      return left
    })
  }
  return was.length - (row.at(-1) ?? 0)
}

function members(text: string): readonly string[] {
  const tree = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && ts.isSourceFile(node.getSourceFile())) {
      for (const { name } of node.properties)
        if (name !== undefined && ts.isStringLiteralLike(name)) found.push(name.text)
        else if (name !== undefined && ts.isIdentifier(name)) found.push(name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found.filter((name) => name in OPERATIONS)
}

test('any file: every byte is kept, every operation is there once, line ends are those of the file, a second run changes nothing', async (t) => {
  const folder = project(t, document(OPERATIONS))
  await fc.assert(
    fc.asyncProperty(source, async ({ text, lacking }) => {
      put(folder, { 'src/a.ts': text })
      const report = await run(folder)
      const after = read(folder, 'src/a.ts')
      assert.deepEqual(report.findings, [])
      assert.equal(report.added.length, lacking.length)
      assert.ok(isKept(text, after), 'something is lost')
      assert.ok(
        brokenLines(text, after) <= lacking.length + 2,
        'more lines are touched than a comma and an import need',
      )
      assert.deepEqual([...members(after)].sort(), [...IDS].sort())
      if (text.includes('\r\n')) assert.ok(!/[^\r]\n/u.test(after), 'line ends are mixed')
      else assert.ok(!after.includes('\r'))
      assert.equal((await run(folder)).files.size, 0)
      assert.equal(read(folder, join('src', 'a.ts')), after)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 40) },
  )
})
