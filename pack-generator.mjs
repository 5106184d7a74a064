// Gives the generator of a package what it loads from others, a folder for each: whoever installs
// the package gets four hundred files less than npm would bring. The generator itself stays as the
// compiler wrote it: it names itself by the hash of its own files.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'

const PACKED = [
  '@bufbuild/protobuf/wire',
  '@hey-api/openapi-ts',
  '@redocly/openapi-core',
  '@scalar/openapi-upgrader',
  'js-yaml',
  'jsonpath-rfc9535',
  'scslre',
  'yauzl',
]

/** They ask for it, and it is large: npm brings it for the generator too. */
const SHARED = 'typescript'

/**
 * Bundles the packages into `FOLDER/codegen/packages` and lets the generator there import them.
 * Returns the files that they are made of.
 */
export async function packGenerator(folder, root) {
  const home = join(folder, 'codegen', 'packages')
  const made = []
  for (const name of PACKED) made.push(...(await pack(name, join(home, name), root)))
  const own = globSync(['codegen/**/*.js', 'runtime/packages/**/*.js'], {
    cwd: folder,
    exclude: ['codegen/packages/**'],
  })
  for (const file of own) redirect(join(folder, file), home)
  return made
}

/** Lets a file import what is packed by its path. */
function redirect(file, home) {
  const text = readFileSync(file, 'utf8')
  const changed = PACKED.reduce((now, name) => {
    const path = relative(dirname(file), join(home, name, 'index.js')).replaceAll(sep, '/')
    return now
      .replaceAll(`from '${name}'`, `from './${path}'`)
      .replaceAll(`import('${name}')`, `import('./${path}')`)
  }, text)
  if (changed !== text) writeFileSync(file, changed)
}

async function pack(name, folder, root) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: root,
    input: { index: name },
    platform: 'node',
    external: (id) => isBuiltin(id) || id === SHARED,
    onLog: () => {},
  })
  const { output } = await build.write({
    dir: folder,
    comments: false,
    charset: 'ascii',
    minify: true,
    keepNames: true,
  })
  await build.close()
  const [home] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? []
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', home, 'package.json'), 'utf8'),
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, type: 'module' }))
  return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
}
