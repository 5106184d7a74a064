// `generate --watch` as a user has it: every way in which an input changes, faults and back,
// signals; what it remembers changes no byte.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { generate } from '../../codegen/index.ts'
import { runPipeline } from '../../codegen/pipeline.ts'
import { rememberingStages } from '../../codegen/watch/memory.ts'
import { contents, fixture, PROJECT, put, tempFolder } from './generator-kit.ts'

const LIMIT_MS = 60_000
const EDITS = Number(process.env['EDITS'] ?? 12)

const SMALL = `openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /a: { get: { operationId: first, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'parts/part.yaml' } } } } } } }
`
const PART = 'type: object\nproperties: { one: { type: string } }\n'
const CONFIG = `import { plugins } from './plugins.ts'\nexport const config = { interfaces: [{ spec: 'small.yaml' }], out: 'out', plugins }\n`
const PLUGINS = `export const plugins = [{ name: 'p', version: '1', emit: () => ({ 'p.ts': 'export const p = 1' }) }]\n`

class Watching {
  readonly folder: string
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  #output = ''

  constructor(t: TestContext) {
    this.folder = tempFolder(t)
    put(this.folder, {
      'small.yaml': SMALL,
      'parts/part.yaml': PART,
      'codegen.config.ts': CONFIG,
      'plugins.ts': PLUGINS,
    })
    const command = [join(PROJECT, 'runtime/cli/main.ts'), 'generate', '--watch']
    this.#child = spawn(process.execPath, command, {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
    t.after(() => {
      this.#child.kill('SIGKILL')
    })
  }

  /** Waits until an output file holds a text. */
  async until(file: string, text: string): Promise<void> {
    const path = join(this.folder, 'out', file)
    await this.#wait(
      () => existsSync(path) && readFileSync(path, 'utf8').includes(text),
      `${text} in ${file}`,
    )
  }

  /** Waits until something was said, and forgets what was said until then. */
  async said(pattern: RegExp): Promise<void> {
    await this.#wait(() => pattern.test(this.#output), String(pattern))
    this.#output = ''
  }

  async end(): Promise<unknown> {
    this.#child.kill('SIGINT')
    const [code] = await once(this.#child, 'exit')
    return code
  }

  async #wait(isSo: () => boolean, what: string): Promise<void> {
    const start = performance.now()
    while (!isSo()) {
      assert.ok(
        performance.now() - start < LIMIT_MS,
        `waited in vain for ${what}; said: ${this.#output}`,
      )
      await sleep(20)
    }
  }
}

test(
  'whatever changes is output soon; errors are said and leave the output alone; SIGINT ends it',
  { timeout: 5 * LIMIT_MS },
  async (t) => {
    const watching = new Watching(t)
    const { folder } = watching
    const edit = (file: string, content: string): void => {
      writeFileSync(join(folder, file), content)
    }
    await watching.said(/^watching 4 files: \d+ written, 0 changed, 0 removed, \d+ ms\n/u)

    edit('small.yaml', SMALL.replace('first', 'second'))
    await watching.until('small/routes.gen.ts', "'second'")
    await watching.said(
      /^small\.yaml changed: 0 written, \d+ changed, 0 removed; removed operation small\.first; added operation small\.second, \d+ ms\n/mu,
    )

    const before = contents(join(folder, 'out'))
    edit('small.yaml', SMALL.replace('get:', 'get: ]'))
    await watching.said(/small\.yaml:4:\d+: error: [^]*nothing written/u)
    assert.deepEqual(contents(join(folder, 'out')), before)
    edit('small.yaml', SMALL.replace('first', 'third'))
    await watching.until('small/routes.gen.ts', "'third'")

    edit('small.yaml.swp', SMALL.replace('first', 'fourth'))
    renameSync(join(folder, 'small.yaml.swp'), join(folder, 'small.yaml'))
    await watching.until('small/routes.gen.ts', "'fourth'")

    edit('parts/part.yaml', PART.replace('one', 'other'))
    await watching.until('small/types.gen.ts', 'other')

    edit('parts/part.yaml', PART.replace('{ type: string }', "{ $ref: '../more/late.yaml' }"))
    await watching.said(/late\.yaml'?: any value passes here[^]*changed operation/u)
    put(folder, { 'more/late.yaml': 'type: string\ndescription: has come\n' })
    await watching.until('small/openapi.json', 'has come')

    edit('plugins.ts', PLUGINS.replace('p = 1', 'p = 2'))
    await watching.until('p.ts', 'p = 2')
    edit('plugins.ts', 'export const plugins = [\n')
    await watching.said(/nothing written/u)
    edit('plugins.ts', 'export const plugins = []\n')
    await watching.said(/plugins\.ts changed: 0 written, \d+ changed, 1 removed/u)
    rmSync(join(folder, 'codegen.config.ts'))
    await watching.said(/no codegen\.config\.ts here[^]*nothing written/u)
    edit(
      'codegen.config.ts',
      CONFIG.replace("{ spec: 'small.yaml' }", "{ spec: 'small.yaml', name: 'renamed' }"),
    )
    await watching.until('renamed/routes.gen.ts', "'fourth'")
    // What is no longer wanted goes last.
    await watching.said(/codegen\.config\.ts changed: \d+ written/u)
    assert.equal(existsSync(join(folder, 'out/small')), false)
    assert.equal(await watching.end(), 130)

    const nothing = tempFolder(t)
    put(
      nothing,
      Object.fromEntries(
        Object.entries(contents(folder)).filter(([file]) => !file.startsWith('out/')),
      ),
    )
    await generate({
      config: { interfaces: [{ spec: 'small.yaml', name: 'renamed' }], out: 'out' },
      root: nothing,
    })
    assert.deepEqual(contents(join(folder, 'out')), contents(join(nothing, 'out')))
  },
)

/** An edit of lines as a hand makes it; most leave a document that can be read. */
interface Edit {
  readonly at: number
  readonly kind: 'word' | 'number' | 'delete' | 'double' | 'indent' | 'comment' | 'crlf' | 'bracket'
}

const edits = fc.array(
  fc.record<Edit>({
    at: fc.nat(),
    kind: fc.constantFrom(
      'word',
      'word',
      'number',
      'number',
      'delete',
      'double',
      'indent',
      'comment',
      'crlf',
      'bracket',
    ),
  }),
  { minLength: EDITS, maxLength: EDITS },
)

function apply(content: string, { at, kind }: Edit): string {
  if (kind === 'crlf')
    return content.includes('\r')
      ? content.replaceAll('\r\n', '\n')
      : content.replaceAll('\n', '\r\n')
  const lines = content.split('\n')
  const index = at % lines.length
  const line = lines[index] ?? ''
  lines.splice(index, 1, ...changedLine(line, kind))
  return lines.join('\n')
}

function changedLine(line: string, kind: Exclude<Edit['kind'], 'crlf'>): readonly string[] {
  switch (kind) {
    case 'word':
      return [line.replace(/(?<=: )([A-Za-z]+)\b/u, '$1x')]
    case 'number':
      return [line.replace(/\d+/u, (digits) => String(Number(digits) + 1))]
    case 'delete':
      return []
    case 'double':
      return [line, line]
    case 'indent':
      return [` ${line}`]
    case 'comment':
      return [line, '# between']
    case 'bracket':
      return [`${line} ]`]
  }
}

describe('what is remembered', () => {
  const source = readFileSync(fixture('features.yaml'), 'utf8')

  test('after a row of edits the output is that of a run from nothing, byte for byte', async (t) => {
    const folder = tempFolder(t)
    const input = {
      config: { interfaces: [{ spec: 'features.yaml' }], out: 'out' },
      root: folder,
      out: join(folder, 'out'),
      tools: { generator: '', '@hey-api/openapi-ts': '' },
      configHash: '',
    }
    const stages = rememberingStages()
    await fc.assert(
      fc.asyncProperty(edits, async (row) => {
        let content = source
        for (const edit of row) {
          const next = apply(content, edit)
          put(folder, { 'features.yaml': next })
          const [remembered, fresh] = [await runPipeline(input, stages), await runPipeline(input)]
          assert.deepEqual(remembered.findings, fresh.findings)
          assert.deepEqual(Object.fromEntries(remembered.files), Object.fromEntries(fresh.files))
          if (fresh.files.size > 0) content = next
        }
      }),
      { numRuns: 1 },
    )
  })
})
