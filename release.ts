// What a release needs beside its tests, each as a command: `check` refuses a version that is not
// ready to go out, `notes` prints what changed in it, `sbom` prints what it is made of (CycloneDX).
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const HEADING = /^## (.+)$/gm
const MAX_BILL_BYTES = 64 * 1_024 * 1_024

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The part of a CycloneDX document that is looked at. */
interface Bill {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } }
  readonly components: readonly { readonly 'bom-ref': string }[]
  readonly dependencies: readonly {
    readonly ref: string
    readonly dependsOn: readonly string[]
  }[]
}

/** What keeps the folder's version from going out under a tag, a line each. */
export function problemsOf(folder: string, tag: string): readonly string[] {
  const { version } = manifest(folder, 'package.json')
  const create = manifest(folder, 'codegen/create/package.json')
  const lock = manifest(folder, 'package-lock.json')
  const depends = create.dependencies?.['ledgerwright']
  const sections = changelog(folder)
  const data = join(folder, 'test/releases', version)
  const checks: readonly (readonly [boolean, string])[] = [
    [tag === `v${version}`, `the tag is ${tag}, the version of package.json ${version}`],
    [lock.version === version, `package-lock.json says ${lock.version}`],
    [create.version === version, `create-ledgerwright is ${create.version}`],
    [depends === version, `create-ledgerwright depends on ${depends}`],
    [sections.has(version), `CHANGELOG.md has no section ${version}`],
    [!sections.has('Unreleased'), 'CHANGELOG.md has changes under Unreleased'],
    [existsSync(data), `test/releases has no data of ${version}: npm run release:fixture`],
  ]
  return checks.flatMap(([isRight, line]) => (isRight ? [] : [line]))
}

/** The text under the heading of each version, `Unreleased` among them where there is any. */
export function changelog(folder: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  const headings = [...text.matchAll(HEADING)]
  return new Map(
    headings.map((heading, at) => {
      const [whole, name = ''] = heading
      return [name, text.slice(heading.index + whole.length, headings[at + 1]?.index).trim()]
    }),
  )
}

/**
 * What is installed with the package, as npm knows it from the lock file. npm's own `--omit=dev`
 * also leaves out what some package for development has as a peer, such as pg: so all is asked for,
 * and what no dependency leads to is taken out.
 */
export function billOfMaterials(folder: string): string {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=library']
  const all: Bill = JSON.parse(
    execFileSync('npm', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: MAX_BILL_BYTES,
    }),
  )
  const own = manifest(folder, 'package.json').dependencies ?? {}
  const used = new Set(Object.entries(own).map(([name, version]) => `${name}@${version}`))
  const after = new Map(all.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  // A set that grows while it is gone through shows what was added.
  for (const ref of used) for (const next of after.get(ref) ?? []) used.add(next)
  const root = all.metadata.component['bom-ref']
  const bill: Bill = {
    ...all,
    components: all.components.filter((one) => used.has(one['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => ref === root || used.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => used.has(one)) })),
  }
  return `${JSON.stringify(bill, undefined, 2)}\n`
}

function manifest(folder: string, name: string): Manifest {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

function main(command = '', tag = ''): void {
  const folder = import.meta.dirname
  if (command === 'sbom') process.stdout.write(billOfMaterials(folder))
  if (command === 'notes') {
    const { version } = manifest(folder, 'package.json')
    process.stdout.write(`${changelog(folder).get(version) ?? ''}\n`)
  }
  if (command !== 'check') return
  const problems = problemsOf(folder, tag)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}

if (import.meta.main) main(...process.argv.slice(2))
