// What the whole generated stack costs a request, beside a Fastify with the same schemas and
// duties, and others that do less. Only ratios of CPU time within one turn count.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generate } from '../codegen/index.ts'
import { authOf } from './http-product.ts'
import { costsInTurns } from './in-turns.ts'
import { aimLine, machineLine, median, spread } from './measure.ts'
import { isPinned, startNode } from './pinned.ts'

/** Variants to compare, by kind of request. */
interface Aim {
  readonly kinds: readonly string[]
  readonly subject: string
  readonly reference: string
  /** The least share of the reference's throughput, by CPU time. */
  readonly atLeast: number
}

const PRODUCT = 'product'
const DUTIFUL = 'dutiful fastify'
const WITH_MIDDLEWARE = 'product with middleware'
const AIMS: readonly Aim[] = [
  { kinds: ['mix', 'get'], subject: PRODUCT, reference: DUTIFUL, atLeast: 1.2 },
  { kinds: ['post'], subject: PRODUCT, reference: DUTIFUL, atLeast: 1.05 },
  { kinds: ['mix', 'get', 'post'], subject: PRODUCT, reference: 'node', atLeast: 0.75 },
  { kinds: ['mix', 'get', 'post'], subject: WITH_MIDDLEWARE, reference: PRODUCT, atLeast: 0.91 },
]

const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '2' },
    turns: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '2' },
    kinds: { type: 'string', default: 'mix;post' },
    variants: {
      type: 'string',
      default: [PRODUCT, WITH_MIDDLEWARE, DUTIFUL, 'fastify', 'koa', 'node'].join(';'),
    },
  },
})
const [repetitions, turns, seconds] = [
  Number(values.reps),
  Number(values.turns),
  Number(values.seconds),
]
const variants = values.variants.split(';')
const dir = mkdtempSync(join(tmpdir(), 'bench-http-'))

/**
 * What the generator makes of the fixture, fresh, so that the figure is that of today's generator.
 */
async function generateFixture(out: string): Promise<void> {
  const config = { interfaces: [{ spec: 'fixtures/bench.yaml' }], out }
  const { status, findings } = await generate({ root: import.meta.dirname, config })
  if (status !== 'written')
    throw new Error(`the fixture could not be generated: ${JSON.stringify(findings)}`)
}

type Costs = ReadonlyMap<string, readonly number[]>

function ratios(costs: Costs, subject: string, reference: string): readonly number[] {
  const own = costs.get(subject) ?? []
  return (costs.get(reference) ?? []).map((cost, at) => cost / (own[at] ?? Number.NaN))
}

function summary(kind: string, costs: Costs): string {
  const rows = variants.map((name) => {
    const [own, against] = [costs.get(name) ?? [], ratios(costs, PRODUCT, name)]
    return `  ${name.padEnd(26)} ${spread(own, 1)} us, ${PRODUCT} against it ${spread(against, 2)}`
  })
  const aims = AIMS.filter(
    ({ kinds, subject, reference }) =>
      kinds.includes(kind) && variants.includes(subject) && variants.includes(reference),
  ).map(({ subject, reference, atLeast }) =>
    aimLine(
      `${subject} against ${reference}`,
      median(ratios(costs, subject, reference)),
      'at least',
      atLeast,
      'x',
    ),
  )
  return [`${kind}: CPU time a request`, ...rows, ...aims].join('\n')
}

async function run(): Promise<void> {
  const token = (await (await authOf(dir)).issue?.('alice')) ?? ''
  console.log(
    `${repetitions} repetitions of ${turns} turns of ${seconds} s, ${isPinned ? 'pinned' : 'not pinned'}, ${machineLine()}`,
  )
  for (const kind of values.kinds.split(';')) {
    const costs = await costsInTurns({
      ...{ variants, repetitions, turns, seconds, kind },
      start: async (name) => ({
        server: startNode(0, ['http-server.ts', name, dir], 'ignore'),
        token,
      }),
    })
    console.log(`${summary(kind, costs)}\n${machineLine()}`)
  }
}

if (!existsSync(new URL('node_modules/fastify', import.meta.url))) {
  console.error(
    'run `npm install --prefix bench` first: the references are not part of the product',
  )
  process.exit(1)
}
try {
  await generateFixture(dir)
  await run()
} finally {
  rmSync(dir, { recursive: true, force: true })
}
