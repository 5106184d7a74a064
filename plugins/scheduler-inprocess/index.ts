// The scheduler of a single server: timers in this process. Each task runs at its interval, never
// twice at once; what is missed while a run lasts is dropped.
import { z } from 'zod'
import type { Logger, SchedulerService } from '../../runtime/index.ts'
import { definePlugin } from '../../runtime/index.ts'

/** The longest time that a timer of the platform holds; longer ones are waited for in steps. */
const MAX_TIMER_MS = 2_147_483_647

interface Job {
  readonly name: string
  readonly everyMs: number
  readonly task: (signal: AbortSignal) => Promise<void>
  readonly cancelled: AbortController
  timer: NodeJS.Timeout | undefined
  running: Promise<void> | undefined
}

/** Runs tasks by timers of this process. It has no options. */
export default definePlugin({
  kind: 'scheduler',
  name: 'inprocess',
  options: z.strictObject({}),
  setup: (host): SchedulerService => {
    const jobs = new Map<string, Job>()
    return {
      schedule: (name, everyMs, task) => {
        if (jobs.has(name)) throw new Error(`a task named "${name}" is scheduled already`)
        if (!(everyMs >= 1)) throw new Error(`the interval of "${name}" must be at least 1 ms`)
        const job: Job = {
          name,
          everyMs,
          task,
          cancelled: new AbortController(),
          timer: undefined,
          running: undefined,
        }
        jobs.set(name, job)
        wait(job, everyMs, host.log)
        return { cancel: () => release(job, () => jobs.delete(name)) }
      },
      hold: () => ({ cancel: () => {} }),
      stop: async () => {
        const ending = [...jobs.values()].map((job) => (cancel(job), job.running))
        jobs.clear()
        await Promise.all(ending)
      },
    }
  },
})

function wait(job: Job, ms: number, log: Logger): void {
  if (job.cancelled.signal.aborted) return
  const step = Math.min(ms, MAX_TIMER_MS)
  job.timer = setTimeout(() => (step < ms ? wait(job, ms - step, log) : void begin(job, log)), step)
  job.timer.unref()
}

async function begin(job: Job, log: Logger): Promise<void> {
  const startedMs = performance.now()
  job.running = run(job, log)
  await job.running
  job.running = undefined
  const late = (performance.now() - startedMs) % job.everyMs
  wait(job, Math.max(1, job.everyMs - late), log)
}

async function run(job: Job, log: Logger): Promise<void> {
  try {
    await job.task(job.cancelled.signal)
  } catch (error) {
    log.error({ task: job.name, err: error }, 'a scheduled task failed')
  }
}

/**
 * A run in progress keeps its name, so that no other begins beside it, and is waited for by `stop`.
 */
function release(job: Job, forget: () => void): void {
  cancel(job)
  if (job.running === undefined) forget()
  else void job.running.then(forget)
}

function cancel(job: Job): void {
  clearTimeout(job.timer)
  job.cancelled.abort(new Error('the task was cancelled'))
}
