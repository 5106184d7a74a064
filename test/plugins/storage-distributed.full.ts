// The storage suite on CockroachDB and on YugabyteDB, in containers where their images can be
// pulled, and skipped with the reason where not. `npm run full:distributed`
import { after, test } from 'node:test'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { storageSuite } from '../../runtime/testing/storage-suite.ts'
import { containerOrReason } from '../support/postgres-container.ts'
import type { ContainerSpec } from '../support/postgres-container.ts'
import type { Store } from '../../runtime/index.ts'

const SPECS: readonly ContainerSpec[] = [
  {
    image: 'cockroachdb/cockroach:latest-v24.3',
    environment: {},
    command: ['start-single-node', '--insecure', '--store=type=mem,size=1GiB'],
    port: 26_257,
    ready: [/nodeID:/, 1],
    user: 'root',
    database: 'defaultdb',
  },
  {
    image: 'yugabytedb/yugabyte:2025.1.0.0-b168',
    environment: {},
    command: [
      'bin/yugabyted',
      'start',
      '--background=false',
      '--tserver_flags=yb_enable_read_committed_isolation=true',
    ],
    port: 5_433,
    ready: [/YSQL Status/i, 1],
    user: 'yugabyte',
    database: 'yugabyte',
  },
]

for (const spec of SPECS) {
  const started = await containerOrReason(spec)
  if (typeof started === 'string') {
    test(`the storage suite on ${spec.image}`, { skip: started }, () => {})
    continue
  }
  after(() => started.stop())
  const schemas = new WeakMap<Store, string>()
  let count = 0
  const open = async (schema: string): Promise<Store> => {
    const config = { dialect: 'postgres', connection: started.url, poolSize: 10, schema } as const
    const store = await openSqlStore(config)
    schemas.set(store, schema)
    return store
  }
  storageSuite({
    test: (name, check) => test(`${spec.image}: ${name}`, check),
    create: () => open(`check_${(count += 1)}`),
    reopen: (store) => open(schemas.get(store) ?? ''),
    features: { durable: true, multiProcess: true },
  })
}
