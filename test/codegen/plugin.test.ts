// Plugins of a team: samples from a configuration, in order, in the lock; what they do amiss;
// renaming reaches everything.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { generate, loadInterface, renameOperation, renameSchema } from '../../codegen/index.ts'
import type { GeneratorPlugin, InterfaceIr, Report } from '../../codegen/index.ts'
import { documentOf } from '../../codegen/load/print-document.ts'
import { contents, fixture, PROJECT, put, tempFolder, typeCheck } from './generator-kit.ts'

const VENDOR = `openapi: 3.0.3
info: { title: Vendor, version: '1' }
paths:
  /pets/{pet-id}:
    parameters: [{ name: pet-id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: get_pet
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/AnimalDto' } } } } }
    delete: { operationId: drop_pet, x-internal: true, responses: { '204': { description: gone } } }
components:
  schemas:
    AnimalDto:
      oneOf: [{ $ref: '#/components/schemas/CatDto' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind }
    CatDto: { type: object, required: [kind], properties: { kind: { type: string }, name: { type: string, nullable: true } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string }, friend: { $ref: '#/components/schemas/CatDto' } } }
`

const SMALL = `openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /a: { get: { operationId: a, responses: { '200': { description: ok } } } }
`

function generateWith(folder: string, ...plugins: readonly GeneratorPlugin[]): Promise<Report> {
  return generate({
    config: { interfaces: [{ spec: 'small.yaml' }], out: 'out', plugins },
    root: folder,
  })
}

test('sample plugins rename operations and schemas in every output, drop what is internal, add a file that compiles', (t) => {
  const folder = tempFolder(t)
  const samples = pathToFileURL(join(PROJECT, 'test/codegen/sample-plugin')).href
  put(folder, {
    'vendor.yaml': VENDOR,
    'codegen.config.ts': [
      `import { plainNames } from '${samples}/plain-names.ts'`,
      `import { typedPaths } from '${samples}/typed-paths.ts'`,
      `export const config = { interfaces: [{ spec: 'vendor.yaml' }], out: 'out', plugins: [typedPaths, plainNames] }\n`,
    ].join('\n'),
  })
  const run = spawnSync(process.execPath, [join(PROJECT, 'runtime/cli/main.ts'), 'generate'], {
    encoding: 'utf8',
    cwd: folder,
  })
  assert.deepEqual([run.status, run.stderr], [0, ''])
  const out = contents(join(folder, 'out'))
  assert.match(
    out['vendor/paths.gen.ts'] ?? '',
    /^\/\/ Generated.*\n\/\*\* GET \/pets\/\{pet-id\} \*\/\nexport function getPetPath\(path: \{ readonly "pet-id": number/u,
  )
  const texts = Object.entries(out).filter(([file]) => file.startsWith('vendor/'))
  for (const [file, text] of texts)
    assert.doesNotMatch(
      text,
      /get_pet|drop_pet|DropPet|#\/components\/schemas\/\w+Dto|(?<!['"])CatDto\b/u,
      file,
    )
  // The name of the schema was a tag on the wire, so it stays one.
  assert.match(out['vendor/validators.gen.ts'] ?? '', /case 'CatDto'|'CatDto'/u)
  assert.deepEqual(JSON.parse(out['codegen.lock.json'] ?? '').plugins, [
    { name: 'typed-paths', version: '1.0.0', order: 0 },
    { name: 'plain-names', version: '1.0.0', order: 0 },
  ])
  assert.equal(JSON.parse(out['vendor/openapi.json'] ?? '')['x-names'], 'plain')
  assert.equal(typeCheck(join(folder, 'out')), '')
})

test('hooks run by order, then as configured; another version or order makes the output stale', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'small.yaml': SMALL })
  const seen: string[] = []
  const plugin = (name: string, order?: number, version = '1'): GeneratorPlugin => ({
    name,
    version,
    ...(order === undefined ? {} : { order }),
    document: (document) => {
      seen.push(`document ${name}`)
      return document
    },
    ir: (ir) => {
      seen.push(`ir ${name}`)
      return ir
    },
    emit: () => {
      seen.push(`emit ${name}`)
      return {}
    },
  })
  await generateWith(folder, plugin('late', 5), plugin('one'), plugin('two'), plugin('early', -1))
  assert.deepEqual(
    seen,
    ['document', 'ir', 'emit'].flatMap((hook) =>
      ['early', 'one', 'two', 'late'].map((name) => `${hook} ${name}`),
    ),
  )
  assert.equal((await generateWith(folder, plugin('one'))).status, 'written')
  assert.equal((await generateWith(folder, plugin('one'))).status, 'skipped')
  assert.equal((await generateWith(folder, plugin('one', 0, '2'))).status, 'written')
  assert.equal((await generateWith(folder)).status, 'written')
})

const failing: readonly (readonly [string, Partial<GeneratorPlugin>, RegExp])[] = [
  [
    'throws',
    {
      document: () => {
        throw new Error('no luck')
      },
    },
    /hook 'document', interface 'small': failed: no luck$/u,
  ],
  [
    'rejects',
    {
      emit: async () => {
        await Promise.resolve()
        throw new Error('no luck')
      },
    },
    /hook 'emit', interface 'small': failed: no luck$/u,
  ],
  ['returns no document', { document: () => ({}) }, /hook 'document'.*returned no document/u],
  [
    'breaks a reference',
    { ir: (ir) => ({ ...ir, schemas: { A: { $ref: '#/components/schemas/B' } } }) },
    /'#\/components\/schemas\/B' does not exist/u,
  ],
  [
    'doubles an operation',
    { ir: (ir) => ({ ...ir, operations: [...ir.operations, ...ir.operations] }) },
    /two operations are called 'a'/u,
  ],
  [
    'renames nothing',
    { ir: (ir) => renameOperation(ir, 'b', 'c') },
    /failed: there is no operation 'b'/u,
  ],
  [
    'leaves the folder',
    { emit: () => ({ '../mine.ts': '' }) },
    /'\.\.\/mine\.ts' must be a path inside the output folder/u,
  ],
  ['leaves it by a backslash', { emit: () => ({ '..\\mine.ts': '' }) }, /must be a path inside/u],
  ['writes another kind', { emit: () => ({ 'notes.txt': '' }) }, /must end in \.ts or \.json/u],
  ['writes no JSON', { emit: () => ({ 'a.json': '[]' }) }, /must be a JSON object/u],
  [
    'takes a file',
    { emit: () => ({ 'small/Routes.gen.ts': '' }) },
    /'small\/Routes\.gen\.ts' is written by the generator already/u,
  ],
  [
    'reports',
    {
      ir: (ir, { report, locate }) => {
        report({
          severity: 'error',
          rule: 'ours',
          message: 'not like this',
          at: locate(['paths', '/a', 'get']),
        })
        return ir
      },
    },
    /^not like this$/u,
  ],
]

test('what a plugin does amiss is an error that names plugin, hook and interface, and nothing is written', async (t) => {
  for (const [name, hooks, message] of failing) {
    const folder = tempFolder(t)
    put(folder, { 'small.yaml': SMALL })
    const report = await generateWith(folder, { name, version: '1', ...hooks })
    assert.deepEqual([report.status, existsSync(join(folder, 'out'))], ['invalid', false], name)
    assert.match(report.findings[0]?.message ?? '', message)
    if (name === 'reports')
      assert.deepEqual([report.findings[0]?.at.line, report.findings[0]?.rule], [4, 'ours'])
    else assert.ok(report.findings[0]?.message.startsWith(`plugin '${name}', `))
  }
})

test('hooks that are plain JavaScript may return anything', async (t) => {
  const folder = tempFolder(t)
  const hooks = `{ ir: () => ({ operations: [1], schemas: {} }), emit: () => ({ 'a.ts': 1 }) }`
  put(folder, {
    'small.yaml': SMALL,
    'codegen.config.js': `export const config = { interfaces: [{ spec: 'small.yaml' }], out: 'out', plugins: [{ name: 'p', version: '1', ...${hooks} }] }`,
    'wrong.config.js': `export const config = { interfaces: [{ spec: 'small.yaml' }], out: 'out', plugins: [{ name: 'p', version: 1 }] }`,
  })
  const command = [join(PROJECT, 'runtime/cli/main.ts'), 'generate', '--config']
  const [bad, wrong] = ['codegen.config.js', 'wrong.config.js'].map((config) =>
    spawnSync(process.execPath, [...command, config], { encoding: 'utf8', cwd: folder }),
  )
  assert.equal(bad?.status, 2)
  assert.match(
    bad?.stderr ?? '',
    /^small\.yaml:1:1: error: plugin 'p', hook 'ir', interface 'small': returned no IR of this interface \[plugin\]\n$/u,
  )
  assert.match(wrong?.stderr ?? '', /`plugins` must be a list of/u)
})

test('a file of a plugin that was edited is refused; one that is no longer emitted goes', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'small.yaml': SMALL })
  const emitting: GeneratorPlugin = {
    name: 'p',
    version: '1',
    emit: () => ({ 'small/a.json': '{"b": 1}', 'c.ts': 'export {}' }),
  }
  await generateWith(folder, emitting)
  assert.equal((await generateWith(folder, emitting)).status, 'skipped')
  assert.deepEqual((await generateWith(folder)).removed, ['c.ts', 'small/a.json'])
  await generateWith(folder, emitting)
  writeFileSync(
    join(folder, 'out/c.ts'),
    `${readFileSync(join(folder, 'out/c.ts'), 'utf8')}// mine\n`,
  )
  assert.deepEqual((await generateWith(folder)).refused, [
    { file: 'c.ts', reason: 'was edited by hand' },
  ])
})

function withoutPlaces(ir: InterfaceIr): unknown {
  return {
    ...ir,
    openapi: '',
    operations: ir.operations.map((operation) => ({ ...operation, at: undefined })),
  }
}

test('a document that is written anew from the IR loads as the same IR', (t) => {
  const folder = tempFolder(t)
  const { ir, document } = loadInterface(fixture('features.yaml'))
  const other: InterfaceIr = { ...ir, schemas: { ...ir.schemas, Added: true } }
  const printed = { ...documentOf(document, other, ir) }
  put(folder, {
    'features.json': JSON.stringify(printed, (_, value: unknown) =>
      typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
    ),
  })
  const again = loadInterface(join(folder, 'features.json'))
  assert.deepEqual(
    again.findings.filter(({ severity }) => severity === 'error'),
    [],
  )
  assert.deepEqual(withoutPlaces(again.ir), withoutPlaces(ir))
})

test('renaming back and forth changes nothing but tags that became explicit', () => {
  const { ir } = loadInterface(fixture('features.yaml'))
  for (const name of Object.keys(ir.schemas)) {
    const there = renameSchema(ir, name, 'ZzOther')
    assert.ok(
      !JSON.stringify(there, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ).includes(`"#/components/schemas/${name}"`),
      name,
    )
    const back = renameSchema(there, 'ZzOther', name)
    const strip = (one: InterfaceIr): InterfaceIr =>
      JSON.parse(
        JSON.stringify(one, (key, value: unknown) => {
          return key === 'mapping' ? undefined : typeof value === 'bigint' ? String(value) : value
        }),
      )
    assert.deepEqual(strip(back), strip(ir), name)
  }
  assert.throws(() => renameSchema(ir, 'Nowhere', 'A'), /there is no schema 'Nowhere'/u)
})
