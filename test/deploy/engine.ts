// A container engine by its command line, as an operator has it: images are built from the packed
// package, containers are removed when the test ends.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/service.ts'

/** How long all may take, where CI has a limit: what is begun then is skipped. */
const LIMIT_MS = Number(process.env['CONTAINERS_MS'] ?? Infinity)
const PULL_LIMIT_MS = 30_000

const BASE_IMAGE = 'node:24-bookworm-slim'

/** Files of an image for which the package is packed already. */
const CONTEXT = [
  'package.json',
  'package-lock.json',
  'deploy/Dockerfile',
  'deploy/certs',
  'deploy/healthcheck.mjs',
]

export const IMAGE = `ledgerwright-test:${process.pid}`
export const CONFORM_IMAGE = `ledgerwright-conform-test:${process.pid}`

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The program is ended after so many milliseconds. */
  readonly limitMs?: number
}

/** Runs a command of the engine; answers what it printed. Rejects with what it said otherwise. */
export function docker(...args: readonly string[]): Promise<string> {
  return run('docker', args)
}

/** The reason why nothing more is begun; undefined if there is time left. */
export function outOfTime(): string | undefined {
  return performance.now() < LIMIT_MS ? undefined : `no time left of ${LIMIT_MS / 1_000} s`
}

async function run(
  program: string,
  args: readonly string[],
  { env = {}, limitMs = Infinity }: RunOptions = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    ...(limitMs === Infinity ? {} : { timeout: Math.max(1, limitMs) }),
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.trim()
}

/** The reason why images can be neither built nor run on this machine; false if they can. */
export async function whyNot(): Promise<string | false> {
  if ((await orUndefined(docker('version', '--format', '{{.Server.Version}}'))) === undefined)
    return 'no container engine answers'
  const had = await orUndefined(docker('image', 'inspect', BASE_IMAGE))
  if (had !== undefined) return false
  const pulled = await orUndefined(run('docker', ['pull', BASE_IMAGE], { limitMs: PULL_LIMIT_MS }))
  return pulled === undefined ? `${BASE_IMAGE} cannot be had` : false
}

/** The command of compose files, `docker compose` or the older program; undefined without one. */
export async function composeCommand(): Promise<readonly string[] | undefined> {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const [program = '', ...args] = command
    if ((await orUndefined(run(program, [...args, 'version']))) !== undefined) return command
  }
  return undefined
}

/** Runs the compose command with these variables. */
export function compose(
  [program = '', ...first]: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  return run(program, [...first, ...args], { env })
}

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch {
    return undefined
  }
}

/**
 * Packs the package and builds `IMAGE` and `CONFORM_IMAGE` from it, as docs/deploy.md says. Answers
 * false where the time is over before.
 */
export async function buildImages(): Promise<boolean> {
  const context = mkdtempSync(join(tmpdir(), 'lw-image-'))
  try {
    await buildFrom(context)
    return true
  } catch (error) {
    if (outOfTime() === undefined) throw error
    return false
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

async function buildFrom(context: string): Promise<void> {
  await run(process.execPath, ['build.mjs'])
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', context]
  const tarball = await run('npm', pack)
  mkdirSync(join(context, 'deploy'))
  for (const name of CONTEXT) cpSync(join(ROOT, name), join(context, name), { recursive: true })
  const { NODE_EXTRA_CA_CERTS: authority } = process.env
  if (authority !== undefined) cpSync(authority, join(context, 'deploy', 'certs', 'ca.crt'))
  for (const [target, tag] of [
    ['service', IMAGE],
    ['conform', CONFORM_IMAGE],
  ] as const) {
    const file = ['--file', join(context, 'deploy', 'Dockerfile'), '--target', target]
    const args = ['--build-arg', `PACKAGE=${tarball}`, '--tag', tag, '--network', 'host']
    const limitMs = LIMIT_MS - performance.now()
    await run('docker', ['build', '--quiet', ...file, ...args, context], { limitMs })
  }
}

/** Removes what `buildImages` has made. */
export async function removeImages(): Promise<void> {
  for (const image of [IMAGE, CONFORM_IMAGE]) await orUndefined(docker('rmi', '--force', image))
}
