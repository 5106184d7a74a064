// A new project from a document: what is written where, what is refused, names, and that nothing is
// overwritten. What the project does is tried out by test/e2e/init-published.ts, with the package
// as strangers get it.
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { check } from '../../codegen/generate.ts'
import { init } from '../../codegen/init/init.ts'
import type { InitReport } from '../../codegen/init/init.ts'
import { interfaceName, nameProblem, packageName, slugOf } from '../../codegen/init/names.ts'
import { contents, PROJECT, put, tempFolder } from './generator-kit.ts'

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))

type Made = Extract<InitReport, { status: 'made' }>

function made(report: InitReport): Made {
  assert.equal(report.status, 'made', JSON.stringify(report))
  assert.ok(report.status === 'made')
  return report
}

/** An empty place for a project, and a folder for documents beside it. */
function places(t: TestContext): { readonly folder: string; readonly documents: string } {
  const root = tempFolder(t)
  mkdirSync(join(root, 'documents'))
  return { folder: join(root, 'project'), documents: join(root, 'documents') }
}

const ERRORS = `
  '400': { description: no, content: { application/problem+json: { schema: { $ref: '../shared/problem.yaml' } } } }`
const SECURED = `
openapi: 3.1.0
info: { title: 'The Orders: API', version: '1' }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
security: [{ key: [] }]
paths:
  /orders: { get: { operationId: listOrders, responses: { '200': { description: ok }, ${ERRORS.trim()} } } }
  /healthz: { get: { operationId: health, security: [], responses: { '204': { description: ok } } } }
`
const PROBLEM = 'type: object\nrequired: [title]\nproperties: { title: { type: string } }\n'

test('without a document there is a sample, and everything is generated as `ledgerwright check` wants it', async (t) => {
  const { folder } = places(t)
  const report = made(await init({ folder }))
  assert.deepEqual([report.name, report.kept, report.findings], ['notes', [], []])
  assert.deepEqual(
    report.written.toSorted(),
    Object.keys(contents(folder))
      .filter((file) => !file.startsWith('generated/'))
      .toSorted(),
  )
  const drift = await check({
    root: folder,
    config: {
      interfaces: [{ spec: 'spec/notes.yaml', name: 'notes' }],
      out: 'generated',
      handlers: ['src/handlers'],
    },
  })
  assert.equal(drift.status, 'clean')
  assert.match(readFileSync(join(folder, 'src/guard.ts'), 'utf8'), /openGuard/)
})

test('no placeholder is left in any file, and every template has its file', async (t) => {
  const { folder, documents } = places(t)
  put(documents, { 'api/openapi.yaml': SECURED, 'shared/problem.yaml': PROBLEM })
  made(await init({ folder, spec: join(documents, 'api/openapi.yaml') }))
  for (const [file, text] of Object.entries(contents(folder))) {
    if (!file.startsWith('generated/')) assert.doesNotMatch(text, /__[a-z]+__/, file)
  }
  const templates = globSync('**', { cwd: join(PROJECT, 'codegen/init/template') }).filter((file) =>
    /\.\w+$|Dockerfile|dot-\w+$/.test(file),
  )
  const expected = templates.map((file) =>
    file
      .replaceAll(/(^|\/)dot-/g, '$1.')
      .replace('__interface__', 'the-orders-api')
      .replace('.development', ''),
  )
  for (const file of expected) assert.ok(existsSync(join(folder, file)), file)
})

test('files that a document refers to keep their places to each other', async (t) => {
  const { folder, documents } = places(t)
  put(documents, {
    'api/openapi.yaml': SECURED,
    'shared/problem.yaml': PROBLEM,
    'shared/other.yaml': 'unused: true',
  })
  made(await init({ folder, spec: join(documents, 'api/openapi.yaml') }))
  const specs = globSync('spec/**/*.*', { cwd: folder }).sort()
  assert.deepEqual(specs, ['spec/api/openapi.yaml', 'spec/shared/problem.yaml'])
  assert.match(
    readFileSync(join(folder, 'codegen.config.ts'), 'utf8'),
    /spec: 'spec\/api\/openapi\.yaml', name: 'the-orders-api'/,
  )
})

test('a document that names files far away is refused, unless they are asked for', async (t) => {
  const { folder, documents } = places(t)
  const far = SECURED.replace('../shared/', '../../shared/')
  put(documents, { 'a/api/openapi.yaml': far, 'shared/problem.yaml': PROBLEM })
  const options = { folder, spec: join(documents, 'a/api/openapi.yaml') }
  const refused = await init(options)
  assert.ok(refused.status === 'refused')
  assert.match(refused.reason, /documents\/shared\/problem\.yaml.*--allow-outside$/u)
  assert.ok(!existsSync(folder))
  const { origins } = made(await init({ ...options, allowOutside: true }))
  assert.deepEqual(origins.get('spec/shared/problem.yaml'), join(documents, 'shared/problem.yaml'))
})

test('a document with security gets a guard for development, and says so', async (t) => {
  const { folder, documents } = places(t)
  put(documents, { 'api/openapi.yaml': SECURED, 'shared/problem.yaml': PROBLEM })
  made(await init({ folder, spec: join(documents, 'api/openapi.yaml') }))
  assert.match(readFileSync(join(folder, 'src/guard.ts'), 'utf8'), /securityGuard\(schemes, hooks/)
  assert.match(readFileSync(join(folder, 'src/security.ts'), 'utf8'), /FOR DEVELOPMENT ONLY/)
  assert.match(readFileSync(join(folder, 'README.md'), 'utf8'), /## Who may call/)
})

test('security that names no scheme of the document gets a guard that knows nobody', async (t) => {
  const { folder, documents } = places(t)
  const text = SECURED.replace(/^components:.*$/mu, '').replace(ERRORS.trim(), '')
  put(documents, { 'openapi.yaml': text })
  made(await init({ folder, spec: join(documents, 'openapi.yaml') }))
  for (const file of globSync('src/{guard,security}.ts', { cwd: folder })) {
    const script = stripTypeScriptTypes(readFileSync(join(folder, file), 'utf8'))
    for (const [, imported = ''] of script.matchAll(/ from '(\.[^']+)'/gu))
      assert.ok(existsSync(join(folder, dirname(file), imported)), `${file}: ${imported}`)
  }
  assert.match(readFileSync(join(folder, 'src/guard.ts'), 'utf8'), /securityGuard/)
})

test('a document that stands in the project already stays where it is', async (t) => {
  const { folder } = places(t)
  put(folder, { 'docs/api.yaml': SECURED.replace(ERRORS.trim(), '') })
  const report = made(await init({ folder, spec: join(folder, 'docs/api.yaml'), force: true }))
  assert.ok(!existsSync(join(folder, 'spec')))
  assert.ok(report.written.includes('codegen.config.ts'))
  assert.match(readFileSync(join(folder, 'codegen.config.ts'), 'utf8'), /spec: 'docs\/api\.yaml'/)
})

test('a folder that holds something is refused; --force writes only what is missing', async (t) => {
  const { folder } = places(t)
  put(folder, { 'README.md': 'mine', '.git/HEAD': 'ref' })
  const refused = await init({ folder })
  assert.ok(refused.status === 'refused' && /not empty/.test(refused.reason))
  assert.deepEqual(Object.keys(contents(folder)), ['.git/HEAD', 'README.md'])
  assert.deepEqual(made(await init({ folder, force: true })).kept, ['README.md'])
  assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), 'mine')
  const again = made(await init({ folder, force: true }))
  assert.deepEqual(again.written, [])
})

test('a file in place of the folder is refused, also with --force', async (t) => {
  const { folder } = places(t)
  writeFileSync(folder, 'mine')
  for (const force of [false, true]) {
    const report = await init({ folder, force })
    assert.ok(report.status === 'refused' && /is not a folder/.test(report.reason))
  }
  assert.equal(readFileSync(folder, 'utf8'), 'mine')
})

test('a folder that git has made is as good as empty', async (t) => {
  const { folder } = places(t)
  put(folder, { '.git/HEAD': 'ref' })
  made(await init({ folder }))
})

test('a bad document, read strictly, is refused with places, and nothing is written', async (t) => {
  const { folder, documents } = places(t)
  put(documents, {
    'bad.yaml':
      "openapi: 3.1.0\npaths:\n  /a:\n    get: { responses: { '200': { $ref: 'gone.yaml' } } }\n",
  })
  const report = await init({ folder, spec: join(documents, 'bad.yaml'), strict: true })
  assert.ok(report.status === 'invalid')
  assert.deepEqual(
    report.findings.filter(({ severity }) => severity === 'error').map(({ at }) => at.line),
    [4],
  )
  assert.ok(!existsSync(folder))
})

test('versions are those of our own manifest', async (t) => {
  const { folder } = places(t)
  made(await init({ folder, name: '@acme/notes' }))
  const { name, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  assert.equal(name, '@acme/notes')
  assert.deepEqual(dependencies, {
    ledgerwright: manifest.version,
    pino: manifest.devDependencies.pino,
  })
  const { devDependencies: own, dependencies: needed } = manifest
  assert.deepEqual(devDependencies, {
    '@types/koa': own['@types/koa'],
    '@types/node': own['@types/node'],
    'fast-check': own['fast-check'],
    typescript: needed.typescript,
  })
})

test('create-ledgerwright has the version of the package that it calls, and depends on exactly that', () => {
  const create = JSON.parse(readFileSync(join(PROJECT, 'codegen/create/package.json'), 'utf8'))
  assert.equal(create.version, manifest.version)
  assert.deepEqual(create.dependencies, { ledgerwright: manifest.version })
  assert.equal(create.engines.node, manifest.engines.node)
})

test('everything that the Dockerfile copies is there, and what is not is ignored', async (t) => {
  const { folder } = places(t)
  made(await init({ folder }))
  const lines = readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n')
  const copied = lines.flatMap(
    (line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
  )
  const admitted = readFileSync(join(folder, '.dockerignore'), 'utf8')
    .split('\n')
    .flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? [])
  // npm install makes the lock file.
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  for (const file of copied)
    assert.ok(existsSync(join(folder, file)) && admitted.includes(file), file)
  assert.deepEqual(new Set(copied), new Set(admitted))
  assert.ok(lines.includes('USER node'))
  assert.match(lines.join('\n'), /^HEALTHCHECK .+'\/health'/m)
  // What the server imports is among what is copied.
  for (const file of globSync('src/**/*.ts', { cwd: folder })) {
    for (const [, path = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
      /(?:from|import\()\s*'(\.[^']+)'/g,
    )) {
      const target = normalize(join(dirname(file), path))
      assert.ok(
        existsSync(join(folder, target)) && copied.includes(target.split('/')[0] ?? ''),
        `${file} imports ${path}`,
      )
    }
  }
})

test('names of packages and interfaces are made of what there is', () => {
  assert.equal(slugOf('  Ünï — "Pet" `Störe`: v2.0/β */ <b> '), 'uni-pet-store-v2-0-b')
  assert.equal(slugOf('OrderServiceAPI'), 'order-service-api')
  assert.equal(slugOf('β'), '')
  assert.equal(packageName('☃', '/srv/my project'), 'my-project')
  assert.equal(packageName('☃', '/'), 'service')
  assert.equal(packageName('Test', '/x'), 'test-service')
  assert.equal(interfaceName(undefined, '/x/openapi.yaml', 'Orders'), 'orders')
  assert.equal(interfaceName(undefined, '/x/orders v1.yaml', 'Something'), 'orders-v1')
  assert.equal(interfaceName('given', '/x/orders.yaml', 'Orders'), 'given')
  assert.equal(interfaceName('../up', '/x/☃.yaml', '☃'), 'service')
  for (const title of [
    'x'.repeat(400),
    '...',
    '_private',
    'node_modules',
    'A/B',
    '@scope/x',
    ' ',
  ]) {
    assert.equal(nameProblem(packageName(title, '/tmp/y')), undefined, title)
  }
  for (const name of ['', 'Upper', '.hidden', 'a b', '../x', 'node_modules', 'x'.repeat(215)])
    assert.ok(nameProblem(name), name)
})
