// Storage in PostgreSQL: for several servers on the same data.
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'
import { openSqlStore } from './open.ts'
import { connectionAt, hostsOf } from './postgres-hosts.ts'
import { describePostgres } from './postgres-address.ts'
import type { PostgresConfig } from './config.ts'

export { openSqlStore }

const NO_URL = 'must be a URL that starts with postgres://'
const MAX_REPLICA_AGE_MS = 300_000

/** Several hosts, `h1:5432,h2:5432`, are more than a URL may have: the first stands for all. */
const address = z.string().refine(
  (text) => {
    const [first] = hostsOf(text)
    const one = first === undefined ? text : connectionAt(text, first)
    return typeof one === 'string' && isPostgresUrl(one)
  },
  { error: NO_URL },
)

const replicas = z.strictObject({
  urls: z
    .array(z.string().refine(isPostgresUrl, { error: NO_URL }))
    .min(1)
    .max(8),
  maxAgeMs: z.int().min(1_000).max(MAX_REPLICA_AGE_MS).default(10_000),
})

const common = {
  poolSize: z.int().min(1).max(1_000).default(10),
  schema: z.string().min(1).max(63).optional(),
  replicas: replicas.optional(),
}

const byUrl = z.strictObject({ url: address, ...common })

const byParts = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).default(5_432),
  database: z.string().min(1),
  user: z.string().min(1),
  password: z.string(),
  ...common,
})

const options = z.union([byUrl, byParts])

// Outside of the definition, since the compiler leaves the file's name as it is within it.
const maintenance = () => import('./postgres-maintenance.ts')
const followers = () => import('./postgres-replicas.ts')
const replicaExamination = () => import('./postgres-replica-examination.ts')
const examination = () => import('./postgres-examination.ts')

/** Keeps everything in PostgreSQL, which several servers may share. */
export default definePlugin({
  kind: 'storage',
  name: 'postgres',
  options,
  setup: async (host, chosen) => {
    const config = configOf(chosen)
    const store = await openSqlStore(config, host.spans)
    const service = { store, location: describePostgres(config), stop: () => store.close() }
    if (chosen.replicas === undefined) return service
    const { followReplicas } = await followers()
    const followed = followReplicas(store, chosen.replicas, config, host.log)
    const stop = async (): Promise<void> => {
      await followed.stop()
      await store.close()
    }
    return { ...service, replicas: followed.replicas, stop }
  },
  examine: async ({ clock }, chosen) => {
    const config = configOf(chosen)
    const { examinePostgres } = await examination()
    const own = await examinePostgres(config, clock)
    if (chosen.replicas === undefined) return own
    const { examineReplicas } = await replicaExamination()
    return [...own, ...(await examineReplicas(config, chosen.replicas.urls))]
  },
  maintain: async (_host, chosen) => {
    const { postgresMaintenance } = await maintenance()
    return postgresMaintenance(configOf(chosen))
  },
})

function isPostgresUrl(text: string): boolean {
  return z.url({ protocol: /^postgres(ql)?$/ }).safeParse(text).success
}

function configOf({
  poolSize,
  schema,
  replicas: _replicas,
  ...rest
}: z.infer<typeof options>): PostgresConfig {
  return { dialect: 'postgres', connection: 'url' in rest ? rest.url : rest, poolSize, schema }
}
