// Machines whose clocks do what clocks do: they jump, stand still, drift, sleep with their machine,
// and are wrong when it starts. Nothing here waits; the truth goes on when it is told to.
import { randomUUID } from 'node:crypto'
import type { HostClock } from '../../runtime/host/plugin.ts'

export const SECOND = 1_000_000
export const HOUR = 3_600 * SECOND
export const DAY = 24 * HOUR

/** The true time, microseconds since 1970. */
export class Truth {
  now = 1_800_000_000_000_000
}

/** A step so small may pass for drift. */
const UNNOTED = 20 * SECOND

export class Machine implements HostClock {
  /** Lead of its clock over the truth, microseconds. */
  lead = 0
  /** How fast that grows, millionths. */
  ppm = 0
  /** The time at which its clock stands still. */
  still: number | undefined
  /** True time of its clock's last irregular step. */
  steppedAt: number
  boot = randomUUID()
  readonly #truth: Truth
  #countMs = 5_000_000
  #uptimeMs = 4_000_000

  constructor(truth: Truth, lead = 0) {
    this.#truth = truth
    this.lead = lead
    this.steppedAt = truth.now
  }

  get wall(): number {
    return Math.floor((this.still ?? this.#truth.now + this.lead) / 1_000) * 1_000
  }

  nowMicros = (): bigint => BigInt(this.wall)
  monotonicMs = (): number => this.#countMs
  /** Uptime as the system has it: in hundredths of a second. */
  uptimeMs = (): number => Math.floor(this.#uptimeMs / 10) * 10

  /** Time passes; `suspended` the process counts none of it, `paused` the machine neither. */
  pass(micros: number, how: 'running' | 'suspended' | 'paused' = 'running'): void {
    this.lead += (micros * this.ppm) / 1e6
    if (how === 'running') this.#countMs += micros / 1_000
    if (how === 'paused') this.lead -= micros
    else this.#uptimeMs += micros / 1_000
    if (how === 'paused' || this.still !== undefined) this.steppedAt = this.#truth.now
  }

  set(lead: number): void {
    const before = this.wall
    this.lead = lead
    this.still = undefined
    if (Math.abs(this.wall - before) > UNNOTED) this.steppedAt = this.#truth.now
  }

  stand(): void {
    this.still = this.wall
    this.steppedAt = this.#truth.now
  }

  /** Its system has been up for so long when anybody looks. */
  start(upMs: number): void {
    this.boot = randomUUID()
    this.#uptimeMs = upMs
    this.#countMs = 0
  }
}
