// The life of what a plugin sets up: types only.

/** The state of a plugin; `detail` is for people. */
export interface HealthReport {
  readonly status: 'up' | 'degraded' | 'down'
  readonly detail?: string
  /** There is no room to write. */
  readonly isFull?: boolean
}

/**
 * Optional life-cycle members of everything that `setup` returns. Started in dependency order,
 * stopped in reverse.
 */
export interface Managed {
  start?(): Promise<void> | void
  stop?(): Promise<void> | void
  health?(): Promise<HealthReport> | HealthReport
}
