// The README and the tours are true: their commands run as they stand, from the repository's root,
// against a service on fresh data.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { ROOT, startService, type Service } from '../support/service.ts'

interface Step {
  readonly commands: string
  readonly expected: { readonly kind: 'json' | 'text'; readonly body: string } | undefined
}

/** Printed after each step; no answer contains it. */
const STEP_END = '\u001e'

/** Nodes in the environment of the page on several nodes; one has an operator of its own. */
const NODES = {
  sv: {},
  provider: {},
  user: { validator: { validatorWalletUser: 'app-user' } },
}

interface Page {
  readonly file: string
  /** The least number of its steps. */
  readonly fewest: number
  readonly nodes?: object
}

const PAGES: readonly Page[] = [
  { file: 'README.md', fewest: 2 },
  { file: 'docs/tour.md', fewest: 8 },
  { file: 'docs/ledger-tour.md', fewest: 8 },
  { file: 'docs/own-contracts.md', fewest: 6 },
  { file: 'docs/external-parties.md', fewest: 8 },
  { file: 'docs/two-companies.md', fewest: 8, nodes: NODES },
]

for (const { file: page, fewest, nodes } of PAGES) {
  describe(page, () => {
    let service: Service

    before(async () => {
      service = await startService({ seeded: true, config: nodes === undefined ? {} : { nodes } })
    })
    after(async () => {
      await service.stop()
      await rm(service.dataDir, { recursive: true, force: true })
    })

    test(
      'every command of the tour prints what stands below it',
      { timeout: 300_000 },
      async (t) => {
        const steps = readSteps(await readFile(join(ROOT, page), 'utf8'))
        assert.ok(steps.length >= fewest, `${steps.length} steps found`)
        const answers = await run(steps, {
          URL: service.url,
          LEDGERWRIGHT__DATA: service.dataDir,
          ...(nodes === undefined ? {} : addressesOf(service, nodes)),
        })
        for (const [index, step] of steps.entries()) {
          await t.test(firstLine(step.commands), () => assertAnswer(step, answers[index] ?? ''))
        }
      },
    )
  })
}

/** Addresses of the nodes that the page names. */
function addressesOf({ banner }: Service, nodes: object): NodeJS.ProcessEnv {
  const at = (name: string) => new RegExp(`node ${name}\\n +ledger +(\\S+)`).exec(banner)?.[1] ?? ''
  const listening = Object.entries(nodes).map(([name, section]) => [
    name,
    { ...section, server: { port: Number(new URL(at(name)).port) } },
  ])
  return {
    LEDGERWRIGHT__NODES: JSON.stringify(Object.fromEntries(listening)),
    PROVIDER: at('provider'),
    USER_NODE: at('user'),
  }
}

/** Each `sh` block of the tour with the `json` or `text` block that follows it. */
function readSteps(readme: string): readonly Step[] {
  const tour = /<!-- tour:start -->([\s\S]*?)<!-- tour:end -->/.exec(readme)?.[1]
  assert.ok(tour, 'the page has no tour')
  const blocks = [...tour.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, kind = '', body = '']) => ({ kind, body }),
  )
  return blocks.flatMap(({ kind, body }, index) =>
    kind === 'sh' ? [{ commands: body, expected: expectation(blocks[index + 1]) }] : [],
  )
}

function expectation(
  block: { readonly kind: string; readonly body: string } | undefined,
): Step['expected'] {
  if (block?.kind !== 'json' && block?.kind !== 'text') return undefined
  return { kind: block.kind, body: block.body }
}

/**
 * Runs all steps in one shell, so that later ones see the variables of earlier ones; answers what
 * each printed.
 */
async function run(steps: readonly Step[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const script = steps.map(({ commands }) => `${commands}printf '${STEP_END}'\n`).join('')
  const child = spawn('bash', ['-u', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  assert.deepEqual([child.exitCode, stderr], [0, ''])
  return stdout.split(STEP_END).slice(0, -1)
}

function assertAnswer({ expected }: Step, answer: string): void {
  if (expected === undefined) return assert.equal(answer, '')
  if (expected.kind === 'text')
    return assert.equal(shownAs(expected.body.trim(), answer.trim()), expected.body.trim())
  const wanted: unknown = JSON.parse(expected.body)
  assert.deepEqual(shownAs(wanted, JSON.parse(answer)), wanted)
}

/**
 * The answer with each text replaced by the expected one that it fits, where `…` fits anything but
 * nothing.
 */
function shownAs(wanted: unknown, answer: unknown): unknown {
  if (typeof wanted === 'string' && typeof answer === 'string')
    return pattern(wanted).test(answer) ? wanted : answer
  if (Array.isArray(wanted) && Array.isArray(answer))
    return answer.map((item, index) => shownAs(wanted[index], item))
  if (!isObject(wanted) || !isObject(answer)) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, shownAs(wanted[key], value)]),
  )
}

function pattern(wanted: string): RegExp {
  return new RegExp(
    `^${wanted
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('[\\s\\S]+')}$`,
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function firstLine(commands: string): string {
  return commands.trim().split('\n')[0] ?? ''
}
