// Asks every plugin how it is, all at once, within a second, and keeps the answer for a second:
// probes are cheap to call.
import { systemClock } from './clock.ts'
import type { AutomationStatus, HealthReport, HostHealth, Managed, PluginHealth } from './plugin.ts'
import { member } from './member.ts'
import { messageOf } from './problem.ts'
import { within } from './deadline.ts'
import { onBehalfOf } from './attribution.ts'
import type { Owner } from './attribution.ts'

export interface Probe {
  readonly owner: Owner
  /** Whether requests can be answered without it. */
  readonly essential: boolean
  readonly service: Managed | undefined
  /** The reason why it is not running. */
  readonly failure: string | undefined
  readonly automation?: { status(): AutomationStatus; health(): HealthReport } | undefined
}

/** Gathers health; never rejects and never takes longer than `limitMs`. */
export function healthMonitor(
  probes: () => readonly Probe[],
  limitMs: number,
  keepMs: number,
): () => Promise<HostHealth> {
  let kept: { readonly at: number; readonly answer: Promise<HostHealth> } | undefined
  return () => {
    const now = systemClock.monotonicMs()
    if (kept === undefined || now - kept.at > keepMs)
      kept = { at: now, answer: gather(probes(), limitMs) }
    return kept.answer
  }
}

async function gather(probes: readonly Probe[], limitMs: number): Promise<HostHealth> {
  const plugins = await Promise.all(probes.map((probe) => ask(probe, limitMs)))
  const down = plugins.some(
    (plugin, index) => plugin.status === 'down' && probes[index]?.essential === true,
  )
  const up = plugins.every((plugin) => plugin.status === 'up')
  return { status: down ? 'down' : up ? 'up' : 'degraded', plugins }
}

async function ask(probe: Probe, limitMs: number): Promise<PluginHealth> {
  const automation = probe.automation === undefined ? {} : { automation: probe.automation.status() }
  const answer = (report: HealthReport): PluginHealth => ({
    plugin: probe.owner.id,
    ...report,
    ...automation,
  })
  if (probe.failure !== undefined) return answer({ status: 'down', detail: probe.failure })
  const own = probe.automation?.health()
  if (own !== undefined && own.status !== 'up') return answer(own)
  const service = probe.service
  if (service?.health === undefined) return answer({ status: 'up' })
  const result = await within(limitMs, () => onBehalfOf(probe.owner, () => service.health?.()))
  if (result.ok) return answer(result.value ?? { status: 'up' })
  const isFull = member(result.error, 'isFull') === true
  return answer({ status: 'down', detail: `health: ${messageOf(result.error)}`, isFull })
}
