// `npm run full:clients -- [--client FOLDER] [--shared FOLDER] [--python PATH] [--only PART…]
// [--runs N]`: programs that others wrote, against the three nodes of the local network with the
// preset. Prints a row for each; fails if one fails that could pass. README.md beside this file
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../support/service.ts'
import { archives, documents } from './documents.ts'
import { startLocalnet } from './localnet.ts'
import type { Localnet } from './localnet.ts'
import { balances, signing } from './python.ts'
import { lineOf, sumOf } from './table.ts'
import type { Row } from './table.ts'
import { walletScripts } from './wallet-scripts.ts'

const { values } = parseArgs({
  options: {
    client: { type: 'string' },
    shared: { type: 'string', default: join(ROOT, '../shared') },
    python: { type: 'string' },
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '10' },
  },
})
const shared = resolve(values.shared)
const client = values.client === undefined ? undefined : resolve(values.client)
const scripts = { clients: join(shared, 'clients'), python: values.python }

/** Balances come when all others have paid, documents last: their requests are of any kind. */
const parts: Readonly<Record<string, (net: Localnet) => AsyncGenerator<Row>>> = {
  wallet: (net) => walletScripts(net, { client, shared }),
  signing: (net) => signing(net, scripts),
  archives: (net) => archives(net, shared),
  balances: (net) => balances(net, scripts),
  documents: (net) => documents(net, shared, values),
}

const net = await startLocalnet()
try {
  const sums: string[] = []
  for (const [name, rowsOf] of Object.entries(parts)) {
    if (values.only?.includes(name) === false) continue
    const rows: Row[] = []
    for await (const row of rowsOf(net)) {
      console.log(lineOf(row))
      rows.push(row)
    }
    sums.push(sumOf(name, rows))
    if (rows.some(({ verdict }) => verdict === 'FAILS')) process.exitCode = 1
  }
  console.log(`\npassed: ${sums.join(', ')}`)
} finally {
  await net.stop()
}
