// Background work of the services, and the one loop that most of it is.
import type { BackgroundTask } from '../../host/tasks.ts'

export type ServiceTask = BackgroundTask

/** The task that takes one step after the other until a step finds nothing to do. */
export function taskOfSteps(name: string, everyMs: number, steps: readonly (() => Promise<boolean>)[]): ServiceTask {
  return {
    name,
    everyMs,
    run: async (signal) => {
      for (const step of steps) {
        let hasWork = true
        while (hasWork && !signal.aborted) hasWork = await step()
      }
    },
  }
}
