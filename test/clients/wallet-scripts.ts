// The guide scripts of a wallet's library, unmodified: each is a process of its own, in a folder
// that is laid out as theirs is. What they need: README.md of this folder.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './localnet.ts'
import type { Ended, Localnet } from './localnet.ts'
import type { Row } from './table.ts'

/** The place of the scripts in their repository: they look for archives four folders up. */
const SCRIPTS = 'docs/wallet-integration-guide/examples/scripts'
const NUMBERED = /^(?:exchange-integration\/)?\d\d-.*\.ts$/

/** Ends that no server without this can change, by what the script wrote. */
const LACKS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED 127\.0\.0\.1:8889/, 'needs the identity provider of its stack, at port 8889'],
  [/grpc-js[^]*UNAVAILABLE/, 'speaks gRPC'],
]

interface Client {
  /** Has node_modules with the library, and the scripts in `scripts` or where they were. */
  readonly client: string | undefined
  readonly shared: string
}

/** A row for each script. */
export async function* walletScripts(
  { folder }: Localnet,
  { client, shared }: Client,
): AsyncGenerator<Row> {
  const part = 'wallet'
  const from = [SCRIPTS, 'scripts'].map((place) => join(client ?? '', place)).find(existsSync)
  if (client === undefined || from === undefined) {
    const note = 'no --client FOLDER with the library and its scripts: test/clients/README.md'
    yield { part, name: 'guide scripts', verdict: 'skipped', note }
    return
  }
  const home = join(folder, 'wallet')
  const scripts = join(home, SCRIPTS)
  mkdirSync(join(home, '.localnet'), { recursive: true })
  cpSync(from, scripts, { recursive: true })
  cpSync(join(client, 'package.json'), join(home, 'package.json'))
  symlinkSync(join(client, 'node_modules'), join(home, 'node_modules'))
  symlinkSync(join(shared, 'archives/dars'), join(home, '.localnet/dars'))
  const loopback = pathToFileURL(join(shared, 'interop/localhost.mjs')).href
  const names = readdirSync(scripts, { recursive: true, encoding: 'utf8' }).toSorted()
  for (const name of names.filter((one) => NUMBERED.test(one))) {
    const args = ['--import', 'tsx', '--import', loopback, join(scripts, name)]
    yield rowOf({ part, name }, await run(process.execPath, args, { cwd: home }))
  }
}

function rowOf(of: Pick<Row, 'name' | 'part'>, { code, text }: Ended): Row {
  if (code === 0) return { ...of, verdict: 'passes' }
  const reason = LACKS.find(([sign]) => sign.test(text))?.[1]
  if (reason !== undefined) return { ...of, verdict: 'excused', note: reason }
  const said = text.split('\n').find((line) => /Error/.test(line)) ?? text.slice(-200)
  return { ...of, verdict: 'FAILS', note: said.trim().slice(0, 200) }
}
