// The package as a stranger gets it: packed, installed with npm into an empty folder, called by its
// command.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COMMAND_LIMIT_MS = 300_000
const READY_LIMIT_MS = 120_000

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Lock {
  readonly packages: Readonly<Record<string, object>> & {
    readonly '': { readonly devDependencies: object }
  }
}

export interface Published {
  /** The folder outside the tree: node_modules, and a copy of the samples. */
  readonly folder: string
  /**
   * Runs a program in the folder, or in one below it, to its end, by its path or by its name on
   * PATH.
   */
  run(program: string, args: readonly string[], below?: string): Promise<Ended>
  /** Runs the installed command to its end. */
  ledgerwright(...args: readonly string[]): Promise<Ended>
  /** Writes `NAME.config.json`, with a free port and a data folder of its own. */
  configure(name: string, config: object): Promise<void>
  /** Serves with this configuration, on a free port, with a data folder of its own. */
  serve(name: string, config: object): Promise<Server>
  remove(): Promise<void>
}

export interface Server {
  readonly url: string
  /** The server's log so far. */
  log(): string
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
}

/** Packages that new projects have besides, without an installation of their own. */
const OF_PROJECTS = ['fast-check', 'pino']

/**
 * Builds and packs this repository, `create-ledgerwright` and the packages `samples/<plugin>`;
 * installs them beside a copy of `samples`.
 */
export async function installPublished(
  samples: string,
  ...plugins: readonly string[]
): Promise<Published> {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerwright-published-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await cp(samples, folder, { recursive: true })
    await install(folder, plugins)
  } catch (error) {
    await remove()
    throw error
  }
  const bin = join(folder, 'node_modules', '.bin', 'ledgerwright')
  return {
    folder,
    run: (program, args, below = '') => run(program, args, join(folder, below)),
    ledgerwright: (...args) => run(bin, args, folder),
    configure: (name, config) => configure(folder, name, config),
    serve: (name, config) => serve(bin, folder, name, config),
    remove,
  }
}

async function install(folder: string, plugins: readonly string[]): Promise<void> {
  const npm = async (...args: readonly string[]): Promise<string> =>
    (await must(run('npm', args, folder))).trim()
  const pack = (source: string): Promise<string> =>
    npm('pack', source, '--silent', '--ignore-scripts', '--pack-destination', folder)
  const tree = await copyOfTree()
  await must(run(process.execPath, [join(tree, 'build.mjs'), '--unchecked'], tree))
  const own = await pack(tree)
  await rm(tree, { recursive: true })
  const create = await pack(join(ROOT, 'codegen', 'create'))
  const theirs = await Promise.all(plugins.map((plugin) => pack(join(folder, plugin))))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await seedLock(folder, own)
  const quiet = [
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
  ]
  await npm(
    'install',
    ...quiet,
    ...[own, create, ...theirs].map((file) => `./${file}`),
    ...OF_PROJECTS,
  )
}

/** Not part of what is built: history, packages, and what commands leave behind. */
const LEFT_OUT = new Set(['.git', '.cache', 'data', 'dist', 'node_modules'])

/** A copy to build in: services of other tests run from `dist` of this tree meanwhile. */
async function copyOfTree(): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'ledgerwright-tree-'))
  const isPart = (source: string): boolean => {
    const [top = ''] = relative(ROOT, source).split(sep)
    return !LEFT_OUT.has(top) && !source.endsWith(`${sep}node_modules`)
  }
  await cp(ROOT, tree, { recursive: true, filter: isPart })
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

/**
 * Gives npm the versions of this repository's lock file, which it has in its cache since `npm ci`:
 * installing needs no network then.
 */
async function seedLock(folder: string, tarball: string): Promise<void> {
  const lock: Lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
  const { devDependencies: _, ...own } = lock.packages['']
  const packages = {
    ...lock.packages,
    '': {},
    'node_modules/ledgerwright': { ...own, resolved: `file:${tarball}` },
  }
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, name: 'outside', packages }),
  )
}

async function must(work: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await work
  if (code !== 0) throw new Error(`ended with ${code}:\n${stdout}\n${stderr}`)
  return stdout
}

async function run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  try {
    const limits = {
      timeout: COMMAND_LIMIT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
    } as const
    const { stdout, stderr } = await promisify(execFile)(program, args, {
      cwd,
      env: environment(),
      ...limits,
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error))
      throw error
    const { code, stdout, stderr } = error
    if (typeof code !== 'number') throw error
    return { code, stdout: String(stdout), stderr: String(stderr) }
  }
}

/**
 * Without what the npm that runs the tests tells its children, with the Node that runs the tests in
 * front. What makes a registry trusted stays: what npm's cache lacks is fetched.
 */
export function environment(): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_(package|lifecycle|config_local_prefix|config_call)|NODE_(?!EXTRA_CA_CERTS))/
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
  return {
    ...Object.fromEntries(kept),
    PATH: path,
    NODE_COMPILE_CACHE: join(tmpdir(), 'lw-test-cache'),
  }
}

const configFile = (folder: string, name: string): string => join(folder, `${name}.config.json`)

async function configure(folder: string, name: string, config: object): Promise<void> {
  const whole = { server: { port: 0 }, data: `./data-${name}`, ...config }
  await writeFile(configFile(folder, name), JSON.stringify(whole))
}

async function serve(bin: string, folder: string, name: string, config: object): Promise<Server> {
  await configure(folder, name, config)
  const file = configFile(folder, name)
  const surroundings = { cwd: folder, env: environment() }
  const child = spawn(bin, ['serve', '--config', file], {
    ...surroundings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const banner = await bannerOf(child, () => log)
  return {
    url: /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0] ?? '',
    log: () => log,
    stop: async () => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
      return child.exitCode
    },
  }
}

function bannerOf(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let banner = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_LIMIT_MS)
    child.once(
      'close',
      () => (clearTimeout(timer), reject(new Error(`did not start: ${banner}${log()}`))),
    )
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      banner += text
      if (!/ready in \d+ ms/.test(banner)) return
      clearTimeout(timer)
      resolve(banner)
    })
  })
}
