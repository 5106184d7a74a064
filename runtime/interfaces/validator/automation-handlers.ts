// What the operator sees and does about automations: how they fare on this server, pauses that hold
// on all, a run now. docs/automations.md
import type { Handlers } from '../../../generated/validator/handlers.gen.ts'
import type { AutomationStatus as WireStatus } from '../../../generated/validator/types.gen.ts'
import type { AutomationStatus } from '../../host/plugin.ts'
import { PAUSED, pauseOf } from '../../economy/automation.ts'
import type { Economy } from '../../economy/economy.ts'
import type { Context } from '../reply.ts'
import { answer, conflict, notFound, PlainError } from '../../economy/errors.ts'

/** The automations of this server, as the host runs them. */
export interface AutomationControl {
  list(): readonly AutomationStatus[]
  /** One run outside its interval, also where it is paused. */
  runNow(name: string): 'started' | 'busy' | 'unknown'
}

/** Handlers of all operations on automations. */
export function automationHandlers(
  economy: Pick<Economy, 'engine' | 'node' | 'store'>,
  control: AutomationControl,
) {
  const show = (status: WireStatus) => status
  return {
    listAutomations: async () => {
      const all = control.list().toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return {
        status: 200,
        body: { automations: await Promise.all(all.map((one) => statusOf(economy, one))) },
      }
    },
    pauseAutomation: async ({ path }) =>
      answer(await setPaused(economy, control, path.name, true), show),
    resumeAutomation: async ({ path }) =>
      answer(await setPaused(economy, control, path.name, false), show),
    runAutomation: async ({ path }) => answer(await runNow(economy, control, path.name), show),
  } satisfies Partial<Handlers<Context>>
}

/** The pause is read from the store: it may be younger than what the host has seen. */
async function statusOf(
  { store, node }: Pick<Economy, 'node' | 'store'>,
  status: AutomationStatus,
): Promise<WireStatus> {
  const isPaused = (await store.contracts.fact(PAUSED, pauseOf(status.name, node)))?.body === 'true'
  return {
    name: status.name,
    ...(status.summary === undefined ? {} : { summary: status.summary }),
    ...(status.topic === undefined ? {} : { topic: status.topic }),
    state: stateOf(status, isPaused),
    runs: status.runs,
    failures: status.failures,
    consecutive_failures: status.consecutiveFailures,
    ...(status.lastRun === undefined ? {} : { last_run: status.lastRun }),
    ...(status.lastSuccess === undefined ? {} : { last_success: status.lastSuccess }),
    ...(status.lastError === undefined ? {} : { last_error: status.lastError }),
    ...(status.nextRun === undefined || isPaused ? {} : { next_run: status.nextRun }),
  }
}

function stateOf({ running, elsewhere }: AutomationStatus, isPaused: boolean): WireStatus['state'] {
  if (running) return 'running'
  if (isPaused) return 'paused'
  return elsewhere === true ? 'elsewhere' : 'waiting'
}

async function setPaused(
  economy: Pick<Economy, 'engine' | 'node' | 'store'>,
  control: AutomationControl,
  name: string,
  isPaused: boolean,
): Promise<WireStatus | PlainError> {
  const found = find(control, name)
  if (found instanceof PlainError) return found
  const key = pauseOf(name, economy.node)
  const fact = { kind: PAUSED, key, body: String(isPaused) }
  await economy.engine.recordFacts([fact], ({ facts }) =>
    (facts.get(PAUSED)?.get(key) ?? 'false') === fact.body ? [] : [fact],
  )
  return statusOf(economy, found)
}

async function runNow(
  economy: Pick<Economy, 'node' | 'store'>,
  control: AutomationControl,
  name: string,
): Promise<WireStatus | PlainError> {
  const outcome = control.runNow(name)
  if (outcome === 'busy') return conflict(`${name} runs already`)
  const found = find(control, name)
  return found instanceof PlainError ? found : statusOf(economy, found)
}

function find(control: AutomationControl, name: string): AutomationStatus | PlainError {
  return (
    control.list().find((status) => status.name === name) ??
    notFound(`No automation ${name} is configured`)
  )
}
