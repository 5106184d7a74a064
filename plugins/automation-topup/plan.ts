// How much traffic is bought at once, and how often at most, so that the target is met. Whole
// numbers only. docs/economy-rules.md, "Traffic"
interface TopUpTarget {
  /** Bytes a second. */
  readonly throughput: number
  readonly minIntervalMs: number
  /** How often anybody looks. */
  readonly pollMs: number
  /** The least that the network sells at once. */
  readonly minBytes: bigint
}

export interface TopUpPlan {
  /** Bought at once, and bought when less is left. */
  readonly bytes: bigint
  /** Interval between two purchases; a multiple of the polling interval. */
  readonly intervalMs: bigint
}

/** The plan that meets a target; undefined where nothing is wanted. */
export function topUpPlan({
  throughput,
  minIntervalMs,
  pollMs,
  minBytes,
}: TopUpTarget): TopUpPlan | undefined {
  if (throughput <= 0) return undefined
  const [target, poll] = [BigInt(throughput), BigInt(pollMs)]
  const rounded = (wantedMs: bigint): TopUpPlan => {
    const intervalMs = ceilDiv(wantedMs, poll) * poll
    return { bytes: ceilDiv(target * intervalMs, 1_000n), intervalMs }
  }
  const plan = rounded(BigInt(Math.max(minIntervalMs, pollMs)))
  return plan.bytes < minBytes ? rounded(ceilDiv(minBytes * 1_000n, target)) : plan
}

/** The quotient of positive numbers, rounded up. */
function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
