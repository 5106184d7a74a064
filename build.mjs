// Makes dist/, the part of the published package that runs: the bundle, the generator as JavaScript,
// the declarations of both, the files that the code reads as they are, and the page of the wallet.
// Written beside dist/ and moved there whole, so that nobody sees half a build or leftovers of the
// last.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, licences } from './bundle.mjs'
import { trimDeclarations } from './declarations.mjs'
import { packGenerator } from './pack-generator.mjs'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
/** `--unchecked` is for a tree whose types have been checked: most of the compiler's time. */
const UNCHECKED = process.argv.includes('--unchecked') ? ['--noCheck'] : []
const STAGING = join('.cache', `dist-${process.pid}`)

/**
 * The documents that are served, the helper sources that the generator copies into its output, and
 * the templates of new projects.
 */
const READ_AS_THEY_ARE = [
  'generated/*/openapi.json',
  'codegen/{emit,hooks,schemas}/support/*.ts',
  'codegen/init/{sample,template}',
  'plugins/*/plugin.json',
  'plugins/docs/web',
]

/** What the page of the API reference shows, with the licence that it is under. */
const REFERENCE_PAGE =
  'node_modules/swagger-ui-dist/{LICENSE,NOTICE,swagger-ui.css,swagger-ui-bundle.js}'

/** The compiler overlooks some dynamic imports when it gives files their new names. */
function refuseSources() {
  const left = globSync(join(STAGING, '**', '*.js')).filter((file) =>
    /\bimport\(\s*['"]\.[^'"]*\.ts['"]/.test(readFileSync(file, 'utf8')),
  )
  if (left.length > 0) throw new Error(`these import a source: ${left.join(', ')}`)
}

/** What reads archives is the generator's too, which is no part of the bundle. */
function isOfGenerator(file) {
  return /runtime.packages.(?:archive|decode|program|summary)./.test(file)
}

process.chdir(ROOT)
try {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', STAGING, ...UNCHECKED]
  execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' })
  refuseSources()
  for (const file of globSync(join(STAGING, '{generated,plugins,runtime}', '**', '*.js')))
    if (!isOfGenerator(file)) rmSync(file)
  const made = await bundle(STAGING, { installed: true })
  made.push(...(await packGenerator(STAGING, ROOT)))
  writeFileSync(join(STAGING, 'licences.txt'), licences(made))
  trimDeclarations(STAGING, ROOT, made)
  for (const file of globSync(READ_AS_THEY_ARE))
    cpSync(file, join(STAGING, file), { recursive: true })
  for (const file of globSync(REFERENCE_PAGE))
    cpSync(file, join(STAGING, 'plugins', 'docs', 'assets', basename(file)))
  const site = join(STAGING, 'plugins', 'docs', 'pages')
  execFileSync(process.execPath, [join('docs', 'site', 'build.ts'), site], { stdio: 'inherit' })
  const page = join(STAGING, 'plugins', 'wallet-ui', 'page')
  execFileSync(process.execPath, [join('plugins', 'wallet-ui', 'build.mjs'), page], {
    stdio: 'inherit',
  })
  if (!existsSync(join(page, 'index.html')))
    throw new Error('a package without the wallet is none: npm ci with the packages for building')
  rmSync('dist', { recursive: true, force: true })
  renameSync(STAGING, 'dist')
} catch (error) {
  rmSync(STAGING, { recursive: true, force: true })
  // The program that failed has said what is wrong.
  if (error?.status === undefined) throw error
  process.exitCode = 1
}
