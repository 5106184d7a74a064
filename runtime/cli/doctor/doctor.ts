// `doctor`: looks at an installation without starting it, and says for each thing how it is and
// what to do.
import type { Configuration } from '../../host/config/configuration.ts'
import type { Finding } from '../../host/findings.ts'
import { nodesOf } from '../../host/config/nodes.ts'
import { maskUrls } from '../../host/mask.ts'
import type { Flags } from '../flags.ts'
import { EXIT } from '../outcome.ts'
import { readSettings } from '../settings.ts'
import { configFindings, pluginFindings, schemaFinding } from './installed.ts'
import { packageFindings } from './packages.ts'
import { diskFinding, folderFinding, nodeFinding, portFinding, secretFindings } from './machine.ts'

export interface DoctorFlags extends Flags {
  readonly json?: true
}

interface Line extends Finding {
  /** The subject of the finding: `storage`, `port`, `auth/jwt`. */
  readonly about: string
}

/** Prints what was found; exit code 1 where there is a fault. Changes nothing. */
export async function examine(flags: DoctorFlags): Promise<void> {
  const lines = await allLines(flags)
  process.stdout.write(
    flags.json === true ? `${JSON.stringify(lines, null, 2)}\n` : lines.map(shown).join(''),
  )
  const faults = lines.filter(({ outcome }) => outcome === 'fault').length
  if (faults > 0) process.exitCode = EXIT.failed
}

async function allLines(flags: Flags): Promise<readonly Line[]> {
  const read = await readSettings(flags)
  const config = read.ok ? read.config : read.rest
  const lines = [
    lineOf('node', nodeFinding()),
    ...(await configFindings(read)).map((finding) => lineOf('config', finding)),
  ]
  return config === undefined ? lines : [...lines, ...(await installedLines(config))]
}

async function installedLines(config: Configuration): Promise<readonly Line[]> {
  const [disk, nodes, schema] = await Promise.all([
    diskFinding(config),
    nodeLines(config),
    // One that is missing or cannot be kept up is told with the configuration.
    config.values.storage === undefined ? undefined : schemaFinding(config),
  ])
  return [
    lineOf('data', folderFinding(config)),
    lineOf('disk', disk),
    ...secretFindings(config).map((finding) => lineOf('secrets', finding)),
    ...(schema === undefined ? [] : [lineOf('storage', schema)]),
    // A storage that cannot be reached is told once.
    ...nodes.filter(({ about }) => schema?.outcome !== 'fault' || !about.startsWith('storage/')),
  ]
}

/** Lines of each node, with its name, and those of the ledger once. */
async function nodeLines(config: Configuration): Promise<readonly Line[]> {
  const nodes = nodesOf(config)
  if (nodes.length === 0) return linesOfNode(config)
  const all = await Promise.all(
    nodes.map(async ({ name, config: own }) => ({ name, lines: await linesOfNode(own) })),
  )
  const [{ lines: first } = { lines: [] }] = all
  const own = all.flatMap(({ name, lines }) =>
    lines
      .filter((line) => !isOfLedger(line))
      .map((line) => ({ ...line, about: `${name}: ${line.about}` })),
  )
  return [...first.filter(isOfLedger), ...own]
}

async function linesOfNode(config: Configuration): Promise<readonly Line[]> {
  const [port, plugins, packages] = await Promise.all([
    portFinding(config),
    pluginFindings(config),
    packageFindings(config),
  ])
  return [
    lineOf('port', port),
    ...plugins.map(([id, finding]) => lineOf(id, finding)),
    ...packages.map((finding) => lineOf('packages', finding)),
  ]
}

function isOfLedger({ about }: Line): boolean {
  return /^(storage|scheduler)\//.test(about)
}

function lineOf(about: string, { text, ...finding }: Finding): Line {
  return { about, ...finding, text: maskUrls(text) }
}

const MARKS = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' } as const
const ABOUT_WIDTH = 22

function shown({ about, outcome, text, advice }: Line): string {
  const line = `${MARKS[outcome]}  ${about.padEnd(ABOUT_WIDTH)} ${text}\n`
  const indent = ' '.repeat(MARKS.ok.length + ABOUT_WIDTH + 3)
  return advice === undefined ? line : `${line}${indent}→ ${advice}\n`
}
