// Puts the service into few files: a start from the sources opens more than a thousand, and spends
// most of its time on linking them. What a plugin imports by name (`ledgerwright/…`) and what the
// command runs are entries of one bundle, so that both use the same instance of every module. The
// generator is no part of it: it names itself by the hash of its own files, and no start loads it.
import {
  existsSync,
  globSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeStamp } from './runtime/cli/bundle-stamp.mjs'

const ROOT = fileURLToPath(new URL('.', import.meta.url))

/**
 * The packages that the service loads. Those with native parts, drivers and what only makes a schema
 * stay where npm put them.
 */
const PACKED =
  /^(?:@bufbuild\/protobuf|@koa\/router|commander|jose|js-yaml|koa|koa-compose|pg-boss|pino|prom-client|ws|yauzl|zod)(?:\/|$)/

/** What a package in the bundle gets from npm all the same. */
const SHARED = 'pg'

/** Every file of the bundle lies so deep below its root that one path up fits all. */
const DEPTH = 3

/**
 * An import of a part of Node, but for `node:module`, which the command needs to refuse an old Node.
 */
const IMPORT = /^import (\w[\w$]*)?(?:, )?(?:\{ (.+) \})? from "(?:node:)?(?!module")([\w/]+)";$/gm

/**
 * Bundles into `folder`, beside what is there. `installed` says that the bundle is to run without
 * the sources: files that the code reads as they are, and the generator, are then in `folder`;
 * else they are those of the checkout. Returns the files that the bundle is made of.
 */
export async function bundle(folder, { installed }) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries().map((file) => [file.replace(/\.ts$/, ''), file])),
    platform: 'node',
    external,
    plugins: [takeParts, keepPlaces(installed)],
    onLog: refuse,
  })
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: 'runtime/parts/[name]-[hash].js',
    keepNames: true,
    charset: 'ascii',
    comments: false,
  })
  await build.close()
  await bundleClients(folder)
  const chunks = output.filter(({ type }) => type === 'chunk')
  for (const { fileName, code } of chunks) {
    if (fileName.split('/').length !== DEPTH && code.includes('import.meta.'))
      throw new Error(`${fileName} asks where it is from another depth than its source`)
  }
  if (!installed) writeStamp(folder, ROOT, sources(chunks))
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

/**
 * The clients by themselves: what runs in a browser shares no part with what asks Node for one.
 */
async function bundleClients(folder) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(clients().map((file) => [file.replace(/\.ts$/, ''), file])),
    platform: 'browser',
    onLog: refuse,
  })
  await build.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: 'generated/parts/[name]-[hash].js',
    keepNames: true,
    charset: 'ascii',
    comments: false,
  })
  await build.close()
}

const clients = () => globSync('generated/*/client.gen.ts', { cwd: ROOT })

/** The command, what package.json exports, and every plugin. */
function entries() {
  const plugins = globSync('plugins/*/plugin.json', { cwd: ROOT }).flatMap((file) =>
    JSON.parse(readFileSync(join(ROOT, file), 'utf8')).plugins.map(({ entry }) =>
      join(dirname(file), `${entry}.ts`),
    ),
  )
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const exported = Object.values(exports)
    .map((target) => target?.default ?? '')
    .filter((file) => file.startsWith('./dist/') && !file.startsWith('./dist/codegen/'))
    .map((file) => file.replace('./dist/', '').replace(/\.js$/, '.ts'))
  const files = globSync(exported, { cwd: ROOT }).filter((file) => !clients().includes(file))
  return [...new Set(['runtime/cli/main.ts', ...files, ...plugins])].sort()
}

/** What the chunks were made of, the recipe, and the folder in which a new plugin would show. */
function sources(chunks) {
  const own = chunks
    .flatMap(({ moduleIds }) => moduleIds.map((id) => relative(ROOT, id)))
    .filter((name) => /^(?:generated|plugins|runtime)[\\/]/.test(name))
  const manifests = globSync('plugins/*/plugin.json', { cwd: ROOT })
  return [...own, ...manifests, 'plugins', 'bundle.mjs', 'package.json', 'package-lock.json']
}

function external(id, importer) {
  if (id.startsWith('.')) return false
  if (importer?.includes(`${sep}node_modules${sep}`)) return isBuiltin(id) || id === SHARED
  return !id.startsWith('/') && !PACKED.test(id)
}

/**
 * Takes the parts of Node without importing them. An import evaluates all that a part exports:
 * `node:http` thereby loads an HTTP client with its WebSocket, 14 MB and 40 ms.
 */
const takeParts = {
  name: 'take-parts',
  renderChunk: (code) => code.replaceAll(IMPORT, takePart),
}

function takePart(statement, whole, some, part) {
  if (!isBuiltin(part)) return statement
  const taken = `process.getBuiltinModule(${JSON.stringify(`node:${part}`)})`
  const names = some === undefined ? [] : [`{ ${some.replaceAll(' as ', ': ')} }`]
  return [...(whole === undefined ? [] : [whole]), ...names]
    .map((target) => `const ${target} = ${taken};`)
    .join(' ')
}

/**
 * `import.meta.url` stays the address of the module's own file, which other files are found by;
 * `import.meta.filename` is that of the file that runs.
 */
const keepPlaces = (installed) => ({
  name: 'keep-places',
  resolveId: {
    filter: { id: /\/codegen\// },
    handler(id, importer) {
      const file = relative(ROOT, resolve(dirname(importer), id))
      return { id: place(file, installed), external: 'absolute' }
    },
  },
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta.url' },
    handler: (code, id) =>
      code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(place(relative(ROOT, id), installed))}, import.meta.url).href`,
      ),
  },
})

/** A source's own file as a part of the bundle names it. */
function place(file, installed) {
  const [up, name] = installed ? ['../../', file.replace(/\.ts$/, '.js')] : ['../../../', file]
  return up + name.split(sep).join('/')
}

/** What a bundler says about our own files is a mistake; packages are as they are. */
function refuse(level, log, next) {
  if (log.id?.includes(`${sep}node_modules${sep}`)) return
  next(level === 'warn' ? 'error' : level, log)
}

/** The licences of the packages that these files are of, which ask to be passed on with the code. */
export function licences(files) {
  const folders = new Set(files.flatMap(packageFolder))
  return [...folders].sort().map(licence).join('\n')
}

function packageFolder(id) {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []
  return folder === undefined ? [] : [folder]
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}

/** npm calls `prepare` for a package too, between `prepack`, which has made it, and packing. */
function isPackage() {
  const { npm_lifecycle_event: event, npm_command: command } = process.env
  return event === 'prepare' && ['pack', 'publish'].includes(command)
}

/** Makes dist/ for this checkout, beside it at first: nobody starts from half a bundle. */
async function bundleCheckout() {
  const [folder, staging] = [join(ROOT, 'dist'), join(ROOT, '.cache', `bundle-${process.pid}`)]
  try {
    await bundle(staging, { installed: false })
    rmSync(folder, { recursive: true, force: true })
    renameSync(staging, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function isInstalled(name) {
  return existsSync(join(ROOT, 'node_modules', name))
}

if (import.meta.main && !isPackage()) {
  if (isInstalled('rolldown')) await bundleCheckout()
  else process.stdout.write('no bundle was made: rolldown is not installed\n')
}
