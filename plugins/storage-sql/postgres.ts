// Storage in PostgreSQL: for several servers on the same data.
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'
import { openSqlStore } from './open.ts'
import { describePostgres } from './postgres-address.ts'
import type { PostgresConfig } from './config.ts'

export { openSqlStore }

const common = {
  poolSize: z.int().min(1).max(1_000).default(10),
  schema: z.string().min(1).max(63).optional(),
}

const byUrl = z.strictObject({ url: z.url({ protocol: /^postgres(ql)?$/ }), ...common })

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
const examination = () => import('./postgres-examination.ts')

/** Keeps everything in PostgreSQL, which several servers may share. */
export default definePlugin({
  kind: 'storage',
  name: 'postgres',
  options,
  setup: async (host, chosen) => {
    const config = configOf(chosen)
    const store = await openSqlStore(config, host.spans)
    return { store, location: describePostgres(config), stop: () => store.close() }
  },
  examine: async ({ clock }, chosen) => {
    const { examinePostgres } = await examination()
    return await examinePostgres(configOf(chosen), clock)
  },
  maintain: async (_host, chosen) => {
    const { postgresMaintenance } = await maintenance()
    return postgresMaintenance(configOf(chosen))
  },
})

function configOf({ poolSize, schema, ...rest }: z.infer<typeof options>): PostgresConfig {
  return { dialect: 'postgres', connection: 'url' in rest ? rest.url : rest, poolSize, schema }
}
