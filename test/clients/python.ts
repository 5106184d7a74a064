// The public network's own scripts in the folder given with --shared, unmodified: one adds up all
// balances from what scan tells, the other is a party with keys of its own.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { member } from '../../runtime/host/member.ts'
import { run, SV, USER } from './localnet.ts'
import type { Localnet } from './localnet.ts'
import type { Row } from './table.ts'

const STAND_IN = join(import.meta.dirname, 'stand-in')
/** Newest first: the second script has text that earlier versions cannot read. */
const PYTHONS = ['python3.13', 'python3.12', 'python3']

interface Scripts {
  readonly clients: string
  /** The interpreter to use; the first of the usual ones that can where it is absent. */
  readonly python: string | undefined
}

/** Kinds of error lines of the script; whatever is none of them is the last kind. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['Unexpected choice', /Unexpected choice/],
  ['Missing record field', /Missing record field/],
  ['Unexpected root', /Unexpected root/],
  ['contracts or supply that differ in the end', /^(?:Contracts missing|Total supply mismatch)/],
  ['contracts of what it does not understand', /^Transaction (?:created|archived) contracts/],
  ['other errors', /^/],
]
const ERROR_LINE = /^(?:ERROR|CRITICAL):\w+:(.*)$/gm

/** A row for each kind of error of the script that reads a whole network. */
export async function* balances(
  { folder, ask }: Localnet,
  { clients, python }: Scripts,
): AsyncGenerator<Row> {
  const part = 'balances'
  const interpreter = await interpreterOf(folder, python, 'aiohttp, colorlog')
  if (interpreter === undefined)
    return yield { part, name: 'reads all updates', verdict: 'skipped', note: lacking(11) }
  const taken = await ask('POST /api/scan/v0/state/acs/force')
  const args = [
    ...['--compare-acs-with-snapshot', String(member(taken.json, 'record_time'))],
    '--compare-balances-with-total-supply',
    ...['--log-file-path', join(folder, 'balances.log'), '--loglevel', 'WARNING'],
  ]
  const { code, text } = await run(interpreter, [join(clients, 'scan_txlog.py'), SV, ...args], {
    cwd: folder,
  })
  yield {
    part,
    name: 'reads all updates',
    ...(code === 0
      ? { verdict: 'passes' }
      : { verdict: 'FAILS', note: text.trim().split('\n').at(-1) ?? '' }),
  }
  const lines = [...text.matchAll(ERROR_LINE)].map(([, line = '']) => line)
  const kinds = Map.groupBy(lines, (line) => KINDS.find(([, sign]) => sign.test(line))?.[0])
  for (const [kind] of KINDS) {
    const found = kinds.get(kind) ?? []
    yield {
      part,
      name: kind,
      ...(found.length === 0
        ? { verdict: 'passes' }
        : { verdict: 'FAILS', note: `${found.length}, such as: ${found[0]?.slice(0, 140)}` }),
    }
  }
}

/** A row for each command of the script that signs outside. */
export async function* signing(
  { folder, ask, token }: Localnet,
  { clients, python }: Scripts,
): AsyncGenerator<Row> {
  const part = 'signing'
  const needs = 'aiohttp, colorlog; import sys; assert sys.version_info >= (3, 12)'
  const interpreter = await interpreterOf(folder, python, needs)
  if (interpreter === undefined)
    return yield { part, name: 'external party', verdict: 'skipped', note: lacking(12) }
  const keys = (name: string) => ['--key-directory', folder, '--key-name', name]
  const validator = ['--validator-url', USER]
  const env = {
    VALIDATOR_JWT_TOKEN: token,
    PYTHONPATH: [STAND_IN, process.env['PYTHONPATH'] ?? ''].join(':'),
  }
  const command = async (name: string, ...args: readonly string[]) => {
    const script = join(clients, 'external-signing.py')
    const { code, text } = await run(interpreter, [script, name, ...args], { cwd: folder, env })
    const row: Row =
      code === 0
        ? { part, name, verdict: 'passes' }
        : { part, name, verdict: 'FAILS', note: text.trim().split('\n').at(-1) ?? '' }
    return { row, party: /party id is: (\S+)/.exec(text)?.[1] ?? '' }
  }
  const parties: string[] = []
  for (const name of ['payer', 'payee']) {
    const generated = await command('generate-key-pair', ...keys(name))
    const hosted = await command(
      'setup-party',
      ...validator,
      ...['--party-hint', `${name}-${randomUUID()}`],
      ...keys(name),
    )
    const to = [...validator, '--party-id', hosted.party, ...keys(name)]
    const approved = await command('setup-transfer-preapproval', ...to)
    parties.push(hosted.party)
    if (name === 'payer') yield* [generated.row, hosted.row, approved.row]
  }
  const [payer = '', payee = ''] = parties
  const fund = { receiver_party_id: payer, amount: '20', deduplication_id: randomUUID() }
  await ask('POST /api/validator/v0/wallet/tap', { body: { amount: '100' } })
  await ask('POST /api/validator/v0/wallet/transfer-preapproval/send', { body: fund })
  const send = ['--scan-url', SV, '--sender-party-id', payer, '--receiver-party-id', payee]
  const terms = ['--amount', '5', '--nonce', '0']
  const sent = await command(
    'transfer-preapproval-send',
    ...[...validator, ...send, ...terms, ...keys('payer')],
  )
  yield sent.row
}

/** The interpreter that can import what a script needs; undefined where there is none. */
async function interpreterOf(
  cwd: string,
  given: string | undefined,
  needs: string,
): Promise<string | undefined> {
  for (const one of given === undefined ? PYTHONS : [given]) {
    const { code } = await run(one, ['-c', `import ${needs}`], { cwd })
    if (code === 0) return one
  }
  return undefined
}

function lacking(minor: number): string {
  return `no Python 3.${minor} or later with aiohttp and colorlog: --python PATH names one`
}
