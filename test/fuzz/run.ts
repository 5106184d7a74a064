// `npm run full:fuzz`: REQUESTS (1,000,000), SEED, STORE=memory|sqlite|postgres, EPISODE (requests
// on one service before the next one starts empty, 100,000), SECONDS (none). Prints what was found
// and the figures; fails where anything was found.
import { whole } from '../drive/command.ts'
import { STORAGES } from '../support/storages.ts'
import { play } from './episodes.ts'

const given = (name: string, fallback: number): number => whole(name, process.env[name] ?? fallback)

const name = process.env['STORE'] ?? 'sqlite'
const storage = STORAGES.find((one) => one.name === name)
if (storage === undefined) throw new RangeError(`there is no store ${name}`)
const seed = given('SEED', Date.now() % 1_000_000)
const requests = given('REQUESTS', 1_000_000)
console.log(
  `fuzz: ${requests} requests on ${name}; again: SEED=${seed} REQUESTS=${requests} STORE=${name} npm run full:fuzz`,
)
try {
  const report = await play({
    storage,
    seed,
    requests,
    episode: given('EPISODE', 100_000),
    say: (line) => console.log(line),
  })
  for (const line of report.lines(Number.POSITIVE_INFINITY)) console.log(line)
  process.exitCode = report.findings.size === 0 ? 0 : 1
} finally {
  await storage.release()
}
