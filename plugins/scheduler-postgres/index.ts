// The scheduler that servers on one PostgreSQL share: each task is one server's at a time. How:
// turn-keeper.ts.
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'
import { TurnKeeper } from './turn-keeper.ts'

const common = {
  /** pg-boss writes this name into its statements as it is. */
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,49}$/, 'must be at most 50 of a-z, 0-9 and _')
    .default('ledgerwright_jobs'),
  backend: z.enum(['postgres', 'cockroachdb', 'yugabytedb']).default('postgres'),
  /** Milliseconds between two looks of a server at the database. */
  pollMs: z.int().min(100).max(60_000).default(1_000),
  /** Milliseconds for which a server that others wait for keeps a task. */
  turnMs: z.int().min(100).default(10_000),
  /** A server that was not heard of for this long loses its tasks. */
  takeoverMs: z.int().min(500).default(6_000),
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

const options = z
  .union([byUrl, byParts])
  .refine(({ pollMs, takeoverMs }) => takeoverMs >= 3 * pollMs, {
    path: ['takeoverMs'],
    message: 'must be at least three times pollMs',
  })

// The library costs a start without this plugin nothing. Outside of the definition, since the
// compiler leaves the file's name as it is within it.
const turnQueue = () => import('./turn-queue.ts')

/** Runs each task on one of the servers that share the database. */
export default definePlugin({
  kind: 'scheduler',
  name: 'postgres',
  options,
  setup: async (host, { schema, backend, pollMs, turnMs, takeoverMs, ...address }) => {
    const { TurnQueue } = await turnQueue()
    const connection = 'url' in address ? { connectionString: address.url } : address
    const queue = new TurnQueue({ connection, schema, backend, log: host.log })
    return new TurnKeeper({ queue, log: host.log, limits: { pollMs, turnMs, takeoverMs } })
  },
})
